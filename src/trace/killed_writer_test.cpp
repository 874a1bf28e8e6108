#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <random>
#include <thread>

#include "base/testing/temporary_folder.h"
#include "trace/document.h"
#include "trace/testing/read_everything.h"
#include "trace/testing/sample_trace.h"
#include "trace/writer.h"

namespace assay::trace {
namespace {

constexpr uint64_t kMaxPendingBytes = 1 << 16;

// Commands of which nobody can know yet whether they are in the file: those that wait, and the one
// that is being added.
constexpr int64_t kMaxLost = kMaxPendingBytes / (2 * sizeof(Record)) + 2;

// Writes until it is killed.
[[noreturn]] void write_for_ever(const std::string& path, std::atomic<int64_t>& added) {
  auto writer = Writer::create(path, {.max_pending_bytes = kMaxPendingBytes});
  if (!writer) ::_exit(1);
  (*writer)->add(testing::shared_records());
  for (Id id = 1;; ++id) {
    (*writer)->add(testing::command_records(id));
    if (id % 50 == 0) {
      (*writer)->add(testing::content_record(100 + id, testing::random_bytes(30'000, 5)));
    }
    added = id;
  }
}

void wait_until_more(const std::atomic<int64_t>& added, int64_t count) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (added <= count && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

int64_t count_commands(const Document& document) {
  Result<Statement> statement = document.prepare("SELECT count(*), max(id) FROM commands");
  EXPECT_TRUE(statement);
  const Result<bool> row = statement->step();
  EXPECT_TRUE(row && *row);
  EXPECT_EQ(statement->integer(0), statement->integer(1)) << "a hole in the commands";
  return statement->integer(0);
}

TEST(Writer, leaves_a_document_when_it_is_killed_at_any_moment) {
  void* shared = ::mmap(nullptr, sizeof(std::atomic<int64_t>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& added = *new (shared) std::atomic<int64_t>(0);
  std::mt19937 random(20);
  int documents = 0, commands = 0;
  for (int round = 0; round < 60; ++round) {
    const base::testing::TemporaryFolder folder;
    const std::string path = folder.file("a.gputrace");
    added = 0;
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) write_for_ever(path, added);
    // Early deaths hit the creation of the file, late ones commits, however slow the machine is.
    const bool is_late = round % 2 != 0;
    if (is_late) wait_until_more(added, kMaxLost);
    std::this_thread::sleep_for(std::chrono::microseconds(random() % (is_late ? 60'000 : 5'000)));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
    if (!std::filesystem::exists(path)) {
      EXPECT_EQ(added, 0);
      continue;
    }
    ++documents;
    const Result<Document> document = Document::open(path);
    ASSERT_TRUE(document) << document.error().message;
    const Result<void> checked = document->check();
    ASSERT_TRUE(checked) << checked.error().message;
    EXPECT_FALSE(document->is_complete());
    const int64_t found = count_commands(*document);
    EXPECT_GE(found, added - kMaxLost) << "of " << added;
    commands += found > 0 ? 1 : 0;
    EXPECT_EQ(testing::read_everything(*document, 1 << 20).errors, found > 0 ? 0 : 1)
        << "text 1 is missing only in a document without rows";
  }
  ::munmap(shared, sizeof(std::atomic<int64_t>));
  EXPECT_GE(documents, 30) << "the kills came too early to say anything";
  EXPECT_GE(commands, 30);
}

}  // namespace
}  // namespace assay::trace
