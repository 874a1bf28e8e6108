#include "trace/writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "base/testing/temporary_folder.h"
#include "trace/document.h"
#include "trace/testing/plain_user.h"
#include "trace/testing/read_everything.h"
#include "trace/testing/sample_trace.h"

namespace assay::trace {
namespace {

using base::testing::TemporaryFolder;

int64_t count(const Document& document, const std::string& what) {
  Result<Statement> statement = document.prepare("SELECT count(*) FROM " + what);
  EXPECT_TRUE(statement) << statement.error().message;
  const Result<bool> row = statement->step();
  EXPECT_TRUE(row && *row);
  return statement->integer(0);
}

// Everything that a row has, as SQLite prints it.
std::string first_row(const Document& document, const std::string& sql) {
  Result<Statement> statement = document.prepare(sql);
  EXPECT_TRUE(statement) << statement.error().message;
  const Result<bool> row = statement->step();
  EXPECT_TRUE(row && *row) << sql;
  std::string text;
  for (int i = 0; i < statement->column_count(); ++i) {
    if (i > 0) text += '|';
    text += statement->is_null(i) ? "null" : std::string(statement->text(i));
  }
  return text;
}

TEST(Writer, writes_every_kind_of_row) {
  const TemporaryFolder folder;
  const Result<void> written = testing::write_sample(folder.file("a.gputrace"), 3);
  ASSERT_TRUE(written) << written.error().message;
  const Result<Document> document = Document::open(folder.file("a.gputrace"));
  ASSERT_TRUE(document) << document.error().message;
  const Result<void> checked = document->check();
  EXPECT_TRUE(checked) << checked.error().message;
  EXPECT_TRUE(document->is_complete());
  EXPECT_EQ(document->fact("detail"), "full");
  EXPECT_EQ(document->fact("nothing"), std::nullopt);
  EXPECT_EQ(first_row(*document, "SELECT * FROM commands WHERE id=2"),
            "2|2|0|0|2000|2602|2|3|1|1|null|null|null|null|1|4100|4100");
  EXPECT_EQ(first_row(*document,
                      "SELECT command,slot,kind,access,buffer,start,bytes,range_begin,range_end,"
                      "content,array,hex(result) FROM bindings WHERE command=3 AND slot=1"),
            "3|1|0|3|2|0|0|0|4100|null|1|00000000000000020000000000000001");
  EXPECT_EQ(first_row(*document, "SELECT * FROM dependencies WHERE command=3"), "3|2|0|2");
  EXPECT_EQ(first_row(*document, "SELECT * FROM buffers WHERE id=2"),
            "2|1|4100|500|null|3|null|null");
  EXPECT_EQ(first_row(*document, "SELECT * FROM launches"), "1|1|1025|1|1|256|1|1");
  EXPECT_EQ(first_row(*document, "SELECT * FROM arrays"), "1|x|float32|[1025]|[1]");
  EXPECT_EQ(first_row(*document, "SELECT * FROM compilations"), "1|1|900|800|0");
  EXPECT_EQ(first_row(*document, "SELECT * FROM memory"), "1|500|8200|0");
  EXPECT_EQ(first_row(*document, "SELECT * FROM notes"), "1|1000|null|a note");
  EXPECT_EQ(first_row(*document, "SELECT * FROM queues"), "1|stream 0|1");
  EXPECT_EQ(first_row(*document, "SELECT * FROM processes"), "1|4711|python3 model.py|-2000");
  EXPECT_EQ(first_row(*document, "SELECT * FROM threads"), "1|1|python3");
  EXPECT_EQ(first_row(*document, "SELECT * FROM spans"), "1|1|1|600|950|2|3");
  EXPECT_EQ(first_row(*document, "SELECT * FROM measurements"),
            "peak_bandwidth|15000000000.0|bytes/s");
  EXPECT_EQ(first_row(*document, "SELECT * FROM command_buffers"), "1|1|1|990|1700|null|1");
  const Result<std::string> site = document->text(3);
  ASSERT_TRUE(site);
  EXPECT_EQ(*site, "model.py:12");
  EXPECT_FALSE(document->text(99));
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.gputrace-journal")));
}

TEST(Writer, gives_vectors_back_empty_and_writes_what_was_in_them) {
  const TemporaryFolder folder;
  Result<std::unique_ptr<Writer>> writer = Writer::create(folder.file("a.gputrace"));
  ASSERT_TRUE(writer) << writer.error().message;
  constexpr int64_t kRecords = 20'011;
  std::vector<Record> batch;
  for (int64_t at = 0; at < kRecords; ++at) {
    batch.emplace_back(MemoryRecord{at, 2 * at, 0});
    if (batch.size() < 97) continue;
    batch = (*writer)->exchange(std::move(batch));
    ASSERT_TRUE(batch.empty());
  }
  (*writer)->add(std::move(batch));
  const Result<void> finished = (*writer)->finish();
  ASSERT_TRUE(finished) << finished.error().message;
  const Result<Document> document = Document::open(folder.file("a.gputrace"));
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(first_row(*document, "SELECT count(DISTINCT at), sum(active) FROM memory"),
            fmt::format("{}|{}", kRecords, kRecords * (kRecords - 1)));
}

TEST(Writer, gives_contents_back) {
  const TemporaryFolder folder;
  // Pieces of 1000 bytes: the random content takes five rows.
  ASSERT_TRUE(testing::write_sample(folder.file("a"), 1, {.max_row_bytes = 1000}));
  const Result<Document> document = Document::open(folder.file("a"));
  ASSERT_TRUE(document) << document.error().message;
  EXPECT_EQ(count(*document, "content_parts"), 4);
  for (const auto& [id, bytes] :
       {std::pair{1, testing::text_bytes(testing::kSource)},
        std::pair{2, testing::random_bytes(testing::kBufferBytes, 1)},
        std::pair{3, std::vector<std::byte>(testing::kBufferBytes, std::byte{7})}}) {
    const Result<Document::Content> content = document->content(id);
    ASSERT_TRUE(content) << content.error().message;
    EXPECT_EQ(content->bytes, bytes);
    EXPECT_EQ(content->hash, base::hash_content(bytes));
  }
  EXPECT_FALSE(document->content(2, testing::kBufferBytes - 1));
  EXPECT_FALSE(document->content(77));
  EXPECT_TRUE(document->check());
}

TEST(Writer, keeps_the_last_of_rows_that_come_again) {
  const TemporaryFolder folder;
  auto writer = Writer::create(folder.file("a"));
  ASSERT_TRUE(writer);
  (*writer)->add(TextRecord{1, "label"});
  (*writer)->add(BufferRecord{.id = 1, .label = 1, .bytes = 5});
  (*writer)->add(BufferRecord{.id = 1, .label = 1, .bytes = 5, .freed = 99});
  ASSERT_TRUE((*writer)->finish());
  EXPECT_TRUE((*writer)->finish()) << "a second time changes nothing";
  (*writer)->add(TextRecord{2, "too late"});
  const Result<Document> document = Document::open(folder.file("a"));
  ASSERT_TRUE(document);
  EXPECT_EQ(first_row(*document, "SELECT * FROM buffers"), "1|1|5|null|99|null|null|null");
  EXPECT_EQ(count(*document, "texts"), 1);
  EXPECT_FALSE(document->is_complete());
}

TEST(Writer, keeps_only_the_last_moments_if_told) {
  const TemporaryFolder folder;
  auto writer = Writer::create(folder.file("a"), {.keep_ns = 100'000});
  ASSERT_TRUE(writer);
  (*writer)->add(testing::shared_records());
  for (Id id = 1; id <= 1000; ++id) (*writer)->add(testing::command_records(id));
  ASSERT_TRUE((*writer)->finish());
  const Result<Document> document = Document::open(folder.file("a"));
  ASSERT_TRUE(document) << document.error().message;
  const Result<void> checked = document->check();
  EXPECT_TRUE(checked) << checked.error().message;
  // The last one ends at 1000606, number 900 at 900604: just too early.
  EXPECT_EQ(first_row(*document, "SELECT min(id), max(id) FROM commands"), "901|1000");
  EXPECT_EQ(first_row(*document, "SELECT min(command) FROM dependencies"), "902");
  EXPECT_EQ(count(*document, "spans"), 0);
  EXPECT_NE(document->fact("kept_from"), std::nullopt);
  EXPECT_EQ(count(*document, "kernels"), 1) << "what others point to stays";
}

TEST(Writer, never_overwrites) {
  const TemporaryFolder folder;
  std::ofstream(folder.file("taken")) << "mine";
  const auto writer = Writer::create(folder.file("taken"));
  ASSERT_FALSE(writer);
  EXPECT_EQ(writer.error().message,
            "'" + folder.file("taken") +
                "' already exists, and nothing is overwritten; remove it or choose another path");
  std::string text;
  std::ifstream(folder.file("taken")) >> text;
  EXPECT_EQ(text, "mine");
  EXPECT_FALSE(Writer::create(folder.path().string())) << "a folder is no file";
}

TEST(Writer, says_why_a_file_cannot_be_created) {
  const TemporaryFolder folder;
  const auto missing = Writer::create(folder.file("none/a"));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("No such file or directory; check that its folder exists"),
            std::string::npos)
      << missing.error().message;
  EXPECT_FALSE(Writer::create(""));
}

TEST(Writer, says_that_a_folder_may_not_be_written) {
  const TemporaryFolder folder;
  std::filesystem::permissions(folder.path(), std::filesystem::perms{0555});
  const auto writer = [&] {
    const testing::PlainUser user;
    return Writer::create(folder.file("a"));
  }();
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  ASSERT_FALSE(writer);
  EXPECT_NE(writer.error().message.find("Permission denied"), std::string::npos);
}

TEST(Writer, lets_one_of_many_have_the_path) {
  const TemporaryFolder folder;
  std::atomic<int> made = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const Result<void> written = testing::write_sample(folder.file("a"), 20);
      made += written ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(made, 1);
  const Result<Document> document = Document::open(folder.file("a"));
  ASSERT_TRUE(document);
  EXPECT_TRUE(document->check());
  EXPECT_EQ(count(*document, "commands"), 20);
}

TEST(Writer, takes_records_from_many_threads_in_little_memory) {
  const TemporaryFolder folder;
  auto writer = Writer::create(folder.file("a"), {.max_pending_bytes = 10'000});
  ASSERT_TRUE(writer);
  (*writer)->add(testing::shared_records());
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&, thread] {
      for (Id id = 0; id < 250; ++id) {
        const Id text = 100 + 250 * thread + id;
        (*writer)->add(TextRecord{text, std::string(101, 'x')});
        // Larger than all that may wait: goes in alone.
        if (id == 0)
          (*writer)->add(testing::content_record(text, testing::random_bytes(50'000, 9)));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE((*writer)->finish());
  const Result<Document> document = Document::open(folder.file("a"));
  ASSERT_TRUE(document);
  EXPECT_EQ(count(*document, "texts"), 1003);
  EXPECT_EQ(count(*document, "contents"), 7);
  EXPECT_TRUE(document->check());
}

// The capture fails, the program and the document do not.
void expect_survives_full_disk(const std::string& path) {
  auto writer = Writer::create(path);
  ASSERT_TRUE(writer) << writer.error().message;
  (*writer)->add(testing::shared_records());
  for (Id id = 1; id <= 200; ++id) {
    (*writer)->add(testing::command_records(id));
    (*writer)->add(testing::content_record(100 + id, testing::random_bytes(20'000, 1)));
    if (id % 20 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
  const Result<void> finished = (*writer)->finish();
  ASSERT_FALSE(finished);
  EXPECT_TRUE(finished.error().message.starts_with("'" + path + "' is incomplete: "))
      << finished.error().message;
  const Result<Document> document = Document::open(path);
  ASSERT_TRUE(document) << document.error().message;
  const Result<void> checked = document->check();
  EXPECT_TRUE(checked) << checked.error().message;
  EXPECT_GE(count(*document, "commands"), 1);
  EXPECT_FALSE(document->is_complete());
}

// Only root may mount a small file system, and filling a real one would hurt others: everybody else
// skips this test and has the next one, where the system refuses to let a file grow.
TEST(Writer, survives_a_full_disk) {
  const TemporaryFolder folder;
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=2m") != 0) {
    GTEST_SKIP() << "no right to mount a small file system: " << std::strerror(errno);
  }
  expect_survives_full_disk(folder.file("a"));
  std::ofstream(folder.file("rest")) << std::string(3 << 20, 'x');
  const auto second = Writer::create(folder.file("b"));
  EXPECT_FALSE(second);
  EXPECT_FALSE(std::filesystem::exists(folder.file("b")));
  ::umount2(folder.path().c_str(), MNT_DETACH);
}

TEST(Writer, survives_a_limit_on_the_size_of_files) {
  const TemporaryFolder folder;
  rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{2 << 20, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  expect_survives_full_disk(folder.file("a"));
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
}

TEST(Writer, keeps_readers_out_until_it_is_done) {
  const TemporaryFolder folder;
  auto writer = Writer::create(folder.file("a"));
  ASSERT_TRUE(writer);
  const Result<Document> early = Document::open(folder.file("a"));
  ASSERT_FALSE(early);
  EXPECT_NE(early.error().message.find("another process is writing it"), std::string::npos)
      << early.error().message;
  ASSERT_TRUE((*writer)->finish());
  EXPECT_TRUE(Document::open(folder.file("a")));
}

}  // namespace
}  // namespace assay::trace
