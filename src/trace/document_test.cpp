#include "trace/document.h"

#include <gtest/gtest.h>
#include <fstream>
#include <random>

#include "base/file_bytes.h"
#include "base/testing/temporary_folder.h"
#include "trace/database.h"
#include "trace/testing/plain_user.h"
#include "trace/testing/read_everything.h"
#include "trace/testing/sample_trace.h"

namespace assay::trace {
namespace {

using base::testing::TemporaryFolder;

std::string error_of(const std::string& path) {
  const Result<Document> document = Document::open(path);
  return document ? "opened" : document.error().message;
}

// A good document that was changed by some SQL.
class ChangedDocument {
 public:
  explicit ChangedDocument(const std::string& sql) {
    EXPECT_TRUE(testing::write_sample(path(), 3));
    Result<Database> database = Database::open(path(), OpenMode::kWrite);
    EXPECT_TRUE(database);
    const Result<void> changed = database->execute(sql);
    EXPECT_TRUE(changed) << changed.error().message;
  }
  std::string path() const { return folder_.file("a"); }
  // Without the path.
  std::string open_error() const {
    const std::string text = error_of(path());
    const std::string start = "'" + path() + "' ";
    return text.starts_with(start) ? text.substr(start.size()) : text;
  }
  std::string check_error() const {
    const Result<Document> document = Document::open(path());
    if (!document) return document.error().message;
    const Result<void> checked = document->check();
    return checked ? "good" : checked.error().message;
  }

 private:
  TemporaryFolder folder_;
};

TEST(Document, says_what_is_no_document) {
  const TemporaryFolder folder;
  EXPECT_EQ(error_of(folder.file("none")), "'" + folder.file("none") + "' does not exist");
  EXPECT_EQ(error_of(folder.path().string()),
            "'" + folder.path().string() + "' is no file; a trace document is one file");
  std::ofstream(folder.file("text")) << std::string(5000, 'x');
  EXPECT_EQ(error_of(folder.file("text")),
            "'" + folder.file("text") + "' is no trace document: file is not a database");
  std::ofstream(folder.file("empty")).flush();
  EXPECT_EQ(error_of(folder.file("empty")), "'" + folder.file("empty") + "' is empty");
  EXPECT_EQ(ChangedDocument("PRAGMA application_id=7").open_error(),
            "is a SQLite database, but no trace document");
  EXPECT_EQ(ChangedDocument("PRAGMA user_version=3").open_error(),
            "has version 3 of the format, and this assay reads 2; use the assay that wrote it or a "
            "newer one");
  EXPECT_EQ(ChangedDocument("PRAGMA user_version=1").open_error(),
            "has version 1 of the format, and this assay reads 2; capture it again, or use the "
            "assay that wrote it");
}

TEST(Document, refuses_other_things_under_the_names_of_tables) {
  const std::string expected = "is damaged: table 'texts' is missing or not as it should be";
  EXPECT_EQ(ChangedDocument("DROP TABLE texts").open_error(), expected);
  EXPECT_EQ(ChangedDocument("DROP TABLE texts; CREATE VIEW texts AS SELECT 1 AS id, 'x' AS text")
                .open_error(),
            expected);
  EXPECT_EQ(ChangedDocument("DROP TABLE texts; CREATE TABLE texts (id INTEGER PRIMARY KEY, text "
                            "TEXT NOT NULL, more AS (upper(text)))")
                .open_error(),
            expected);
  EXPECT_EQ(ChangedDocument("ALTER TABLE texts ADD COLUMN more").open_error(), expected);
}

TEST(Document, does_not_care_about_spaces_comments_and_further_tables) {
  const ChangedDocument document(
      "DROP TABLE texts; CREATE TABLE texts ( id   INTEGER PRIMARY KEY, -- words\n text TEXT NOT "
      "NULL ); INSERT INTO texts VALUES (1,''),(2,'chain'),(3,'a.py:1'); "
      "CREATE TABLE mine (a); CREATE INDEX by_kernel ON commands (kernel)");
  EXPECT_EQ(document.check_error(), "good");
}

TEST(Document, finds_rows_that_point_nowhere) {
  EXPECT_EQ(ChangedDocument("SELECT 1").check_error(), "good");
  for (const std::string change :
       {"DELETE FROM texts WHERE id=2", "DELETE FROM kernels", "DELETE FROM launches",
        "DELETE FROM buffers WHERE id=1", "DELETE FROM contents WHERE id=1", "DELETE FROM queues",
        "DELETE FROM arrays", "DELETE FROM command_buffers WHERE id=2",
        "DELETE FROM commands WHERE id=1", "UPDATE buffers SET last_writer=77",
        "DELETE FROM threads", "DELETE FROM processes", "UPDATE spans SET site=99",
        "UPDATE spans SET label=99", "UPDATE queues SET process=9",
        "UPDATE dependencies SET needs=command"}) {
    EXPECT_NE(ChangedDocument(change).check_error().find("is damaged"), std::string::npos)
        << change;
  }
}

TEST(Document, checks_contents_against_their_hash) {
  const ChangedDocument changed(
      "UPDATE contents SET data=x'08' WHERE id=3; UPDATE contents SET encoding=9 WHERE id=1; "
      "UPDATE contents SET hash=x'00' WHERE id=2");
  const Result<Document> document = Document::open(changed.path());
  ASSERT_TRUE(document);
  for (const Id id : {1, 2, 3}) {
    const auto content = document->content(id);
    ASSERT_FALSE(content) << id;
    EXPECT_TRUE(content.error().message.starts_with("'" + changed.path() + "' is damaged: content"))
        << content.error().message;
  }
}

TEST(Document, cannot_be_written_through) {
  const ChangedDocument sample("SELECT 1");
  Result<Document> document = Document::open(sample.path());
  ASSERT_TRUE(document);
  for (const std::string sql : {"DELETE FROM commands", "DROP TABLE notes", "CREATE TABLE t (a)"}) {
    EXPECT_FALSE(document->database().execute(sql)) << sql;
  }
  EXPECT_EQ(sample.check_error(), "good");
}

TEST(Document, opens_in_a_folder_that_may_not_be_written) {
  const ChangedDocument sample("SELECT 1");
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(sample.path()).parent_path();
  fs::permissions(sample.path(), fs::perms{0444});
  fs::permissions(folder, fs::perms{0555});
  {
    const testing::PlainUser user;
    EXPECT_EQ(sample.check_error(), "good");
  }
  fs::permissions(folder, fs::perms::owner_all);
}

TEST(Document, survives_any_damage) {
  const ChangedDocument sample("SELECT 1");
  const std::optional<std::string> good = base::read_file(sample.path());
  ASSERT_TRUE(good);
  const TemporaryFolder folder;
  std::mt19937 random(4);
  int opened = 0, refused = 0;
  constexpr int kRounds = 400;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = *good;
    if (round % 4 == 0) bytes.resize(random() % bytes.size());
    const size_t flips = round % 4 == 0 ? 0 : 1 + random() % 20;
    for (size_t i = 0; i < flips; ++i) {
      // The first page has the header and the schema: it deserves more.
      const size_t at = random() % (i % 2 == 0 ? bytes.size() : 4096);
      bytes[at] = static_cast<char>(random());
    }
    std::ofstream(folder.file("a"), std::ios::binary) << bytes;
    Result<Document> document = Document::open(folder.file("a"));
    if (!document) {
      ++refused;
      continue;
    }
    ++opened;
    document->database().set_time_limit(5);
    (void)document->check();
    testing::read_everything(*document, 1 << 20);
  }
  EXPECT_GT(opened, 10);
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace assay::trace
