#include "trace/merge.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/testing/temporary_folder.h"
#include "trace/document.h"
#include "trace/testing/sample_trace.h"

namespace assay::trace {
namespace {

using base::testing::TemporaryFolder;

// A timeline of one process whose commands begin at `start`.
void write_part(const std::string& path, int64_t pid, int64_t start, int64_t commands) {
  auto writer = Writer::create(path);
  ASSERT_TRUE(writer) << writer.error().message;
  const std::string number = std::to_string(pid);
  (*writer)->add(FactRecord{"process_id", number});
  (*writer)->add(FactRecord{"ended", std::to_string(start + 10'000)});
  (*writer)->add(ProcessRecord{1, pid, "program " + number, start - 100});
  (*writer)->add(ThreadRecord{1, 1, "thread of " + number});
  (*writer)->add(QueueRecord{5, "stream of " + number, 1});
  (*writer)->add(TextRecord{1, "label of " + number});
  (*writer)->add(TextRecord{2, "line of " + number});
  (*writer)->add(KernelRecord{9, "kernel of " + number, "", std::nullopt, "{}", "{}"});
  (*writer)->add(LaunchRecord{1, true, {static_cast<uint32_t>(pid), 1, 1}, {1, 1, 1}});
  (*writer)->add(SpanRecord{1, SpanKind::kWait, start, start + 5, 0, 2});
  (*writer)->add(MemoryRecord{start, pid, 0});
  (*writer)->add(
      CommandBufferRecord{.id = 7, .queue = 5, .label = 1, .submitted = start, .thread = 1});
  for (Id id = 1; id <= commands; ++id) {
    (*writer)->add(CommandRecord{.id = id,
                                 .command_buffer = 7,
                                 .started = start + id,
                                 .ended = start + id + 1,
                                 .label = 1,
                                 .site = 2,
                                 .kernel = 9,
                                 .launch = 1});
    if (id > 1) (*writer)->add(DependencyRecord{id, id - 1});
  }
  ASSERT_TRUE((*writer)->finish());
}

std::vector<std::string> rows(const Document& document, const std::string& sql) {
  Result<Statement> statement = document.prepare(sql);
  EXPECT_TRUE(statement) << statement.error().message;
  std::vector<std::string> texts;
  while (*statement->step()) {
    std::string text;
    for (int i = 0; i < statement->column_count(); ++i) {
      text += (i > 0 ? "|" : "") + std::string(statement->text(i));
    }
    texts.push_back(text);
  }
  return texts;
}

using Rows = std::vector<std::string>;

TEST(Merge, keeps_every_row_with_its_process) {
  const TemporaryFolder folder;
  write_part(folder.file("a"), 100, 1000, 3);
  write_part(folder.file("b"), 200, 1500, 2);
  const Result<void> merged =
      merge_timelines({folder.file("a"), folder.file("b")}, folder.file("c"));
  ASSERT_TRUE(merged) << merged.error().message;
  const Result<Document> document = Document::open(folder.file("c"));
  ASSERT_TRUE(document) << document.error().message;
  const Result<void> checked = document->check();
  EXPECT_TRUE(checked) << checked.error().message;
  EXPECT_EQ(
      rows(*document,
           "SELECT c.id, c.started, l.text, s.text, k.name, grid_x, q.label, t.name, pid "
           "FROM commands c JOIN command_buffers b ON b.id = command_buffer JOIN queues q ON "
           "q.id = b.queue JOIN processes p ON p.id = q.process JOIN threads t ON t.id = "
           "b.thread AND t.process = p.id JOIN texts l ON l.id = c.label JOIN texts s ON s.id "
           "= c.site JOIN kernels k ON k.id = kernel JOIN launches n ON n.id = launch WHERE "
           "c.position = 0 AND c.id IN (1, 4) ORDER BY c.id"),
      (Rows{"1|1001|label of 100|line of 100|kernel of 100|100|stream of 100|thread of "
            "100|100",
            "4|1501|label of 200|line of 200|kernel of 200|200|stream of 200|thread of "
            "200|200"}));
  EXPECT_EQ(rows(*document, "SELECT command, needs FROM dependencies"),
            (Rows{"2|1", "3|2", "5|4"}));
  EXPECT_EQ(
      rows(*document, "SELECT s.started, label, text FROM spans s JOIN texts x ON x.id = site"),
      (Rows{"1000|0|line of 100", "1500|0|line of 200"}));
  EXPECT_EQ(rows(*document, "SELECT at, active, cached FROM memory ORDER BY id"),
            (Rows{"1000|100|0", "1500|300|0", "11000|200|0"}))
      << "of both together, until the first one ends";
  EXPECT_EQ(document->fact("process_id"), "100");
  EXPECT_EQ(document->fact("ended"), "11500");
}

TEST(Merge, never_overwrites_and_leaves_nothing_half_done) {
  const TemporaryFolder folder;
  write_part(folder.file("a"), 100, 1000, 3);
  EXPECT_FALSE(merge_timelines({folder.file("a")}, folder.file("a")));
  EXPECT_FALSE(merge_timelines({folder.file("a"), folder.file("none")}, folder.file("c")));
  EXPECT_FALSE(std::filesystem::exists(folder.file("c")));
  EXPECT_TRUE(Document::open(folder.file("a")));
}

}  // namespace
}  // namespace assay::trace
