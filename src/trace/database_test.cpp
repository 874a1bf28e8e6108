#include "trace/database.h"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "base/testing/temporary_folder.h"

namespace assay::trace {
namespace {

TEST(Database, binds_and_reads_every_type) {
  Result<Database> database = Database::open_in_memory();
  ASSERT_TRUE(database);
  Result<Statement> statement = database->prepare("SELECT ?, ?, ?, ?, ? AS last");
  ASSERT_TRUE(statement) << statement.error().message;
  const std::byte bytes[] = {std::byte{0}, std::byte{255}};
  const std::string text("a\0b", 3);
  statement->bind(INT64_MIN).bind(0.1).bind(text).bind(std::span(bytes)).bind_null();
  const Result<bool> row = statement->step();
  ASSERT_TRUE(row && *row);
  EXPECT_EQ(statement->integer(0), INT64_MIN);
  EXPECT_EQ(statement->real(1), 0.1);
  EXPECT_EQ(statement->text(2), text);
  EXPECT_TRUE(std::ranges::equal(statement->bytes(3), bytes));
  EXPECT_TRUE(statement->is_null(4));
  EXPECT_EQ(statement->column_count(), 5);
  EXPECT_EQ(statement->column_name(4), "last");
  EXPECT_TRUE(statement->is_read_only());
  const Result<bool> end = statement->step();
  EXPECT_TRUE(end && !*end);
  statement->reset();
  const Result<bool> again = statement->bind(int64_t{5}).step();
  ASSERT_TRUE(again && *again);
  EXPECT_EQ(statement->integer(0), 5);
}

TEST(Database, begins_as_a_copy_of_bytes) {
  Result<Database> made = Database::open_in_memory();
  ASSERT_TRUE(made && made->execute("CREATE TABLE t (a); INSERT INTO t VALUES (7)"));
  const Result<std::vector<std::byte>> bytes = made->serialise();
  ASSERT_TRUE(bytes);
  Result<Database> copy = Database::open_bytes(*bytes);
  ASSERT_TRUE(copy) << copy.error().message;
  ASSERT_TRUE(copy->execute("INSERT INTO t VALUES (8)"));
  for (const auto& [database, expected] : {std::pair(&*made, 7), std::pair(&*copy, 15)}) {
    Result<Statement> sum = database->prepare("SELECT sum(a) FROM t");
    ASSERT_TRUE(sum && *sum->step());
    EXPECT_EQ(sum->integer(0), expected);
  }
  const std::vector<std::byte> noise(5000, std::byte{'x'});
  Result<Database> no_database = Database::open_bytes(noise);
  EXPECT_FALSE(no_database && no_database->prepare("SELECT * FROM sqlite_master"));
  const Result<Database> empty = Database::open_bytes({});
  EXPECT_TRUE(empty && empty->prepare("SELECT * FROM sqlite_master"));
}

TEST(Database, takes_exactly_one_statement) {
  const Result<Database> database = Database::open_in_memory();
  ASSERT_TRUE(database);
  EXPECT_TRUE(database->prepare("SELECT 1"));
  EXPECT_TRUE(database->prepare("SELECT 1; -- that is all\n  "));
  EXPECT_FALSE(database->prepare("  -- nothing"));
  EXPECT_FALSE(database->prepare(""));
  EXPECT_FALSE(database->prepare("SELEC 1"));
  const auto two = database->prepare("SELECT 1; DROP TABLE x");
  ASSERT_FALSE(two);
  EXPECT_EQ(two.error().message, "there is more than one statement");
}

TEST(Database, stops_at_the_time_limit) {
  Result<Database> database = Database::open_in_memory();
  ASSERT_TRUE(database);
  database->set_time_limit(0.05);
  Result<Statement> endless = database->prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT count(*) FROM n");
  ASSERT_TRUE(endless);
  const auto begin = std::chrono::steady_clock::now();
  const Result<bool> row = endless->step();
  ASSERT_FALSE(row);
  EXPECT_EQ(row.error().message, "the time limit is over");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  database->set_time_limit(0);
  EXPECT_TRUE(database->execute("CREATE TABLE t (a)"));
}

// SQLite would take ":memory:" for a database without a file.
TEST(Database, opens_files_whatever_their_name) {
  const base::testing::TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  std::ofstream(":memory:").flush();
  Result<Database> database = Database::open(":memory:", OpenMode::kWrite);
  const Result<void> made = database ? database->execute("CREATE TABLE t (a)") : Error{"closed"};
  EXPECT_TRUE(made) << made.error().message;
  EXPECT_GT(std::filesystem::file_size(":memory:"), 0u);
  std::filesystem::current_path(before);
  EXPECT_FALSE(Database::open(folder.file("missing"), OpenMode::kWrite));
}

}  // namespace
}  // namespace assay::trace
