#include "analysis/critical_path.h"

#include <gtest/gtest.h>

#include <random>

#include "analysis/spilled_values.h"
#include "base/testing/temporary_folder.h"
#include "trace/testing/sample_trace.h"

namespace assay::analysis {
namespace {

using base::testing::TemporaryFolder;
using trace::Id;

TEST(SpilledValues, gives_back_what_left_the_memory) {
  SpilledValues values(7);
  for (int64_t i = 0; i < 1000; ++i) {
    ASSERT_TRUE(values.push({i * i, -i}));
    for (const int64_t index : {int64_t{0}, i / 2, i}) {
      const auto value = values.at(index);
      ASSERT_TRUE(value) << value.error().message;
      EXPECT_EQ(value->time, index * index);
      EXPECT_EQ(value->count, -index);
    }
  }
}

// Against the plain definition, on random graphs.
TEST(CriticalPath, is_the_longest_chain) {
  std::mt19937 random(3);
  for (int round = 0; round < 10; ++round) {
    const TemporaryFolder folder;
    auto writer = trace::Writer::create(folder.file("a"));
    ASSERT_TRUE(writer);
    (*writer)->add(trace::testing::shared_records());
    std::vector<int64_t> longest(1, 0), length(1, 0);
    int64_t best = 0, best_length = 0, all = 0;
    for (Id id = 1; id <= 41; ++id) {
      auto records = trace::testing::command_records(id);
      std::erase_if(records, [](const trace::Record& record) {
        return std::holds_alternative<trace::DependencyRecord>(record);
      });
      auto& command = std::get<trace::CommandRecord>(records[1]);
      const int64_t time = 1000 + static_cast<int64_t>(random() % 100'000);
      command.ended = command.started + time;
      int64_t before = 0, before_length = 0;
      for (Id needs = 1; needs < id; ++needs) {
        if (random() % 8 != 0) continue;
        records.emplace_back(
            trace::DependencyRecord{id, needs, trace::DependencyKind::kWriteAfterRead, 1});
        if (longest[static_cast<size_t>(needs)] > before) {
          before = longest[static_cast<size_t>(needs)];
          before_length = length[static_cast<size_t>(needs)];
        }
      }
      longest.push_back(before + time);
      length.push_back(before_length + 1);
      all += time;
      if (longest.back() > best) {
        best = longest.back();
        best_length = length.back();
      }
      (*writer)->add(std::move(records));
    }
    ASSERT_TRUE((*writer)->finish());
    const auto document = trace::Document::open(folder.file("a"));
    ASSERT_TRUE(document);
    const auto path = compute_critical_path(*document);
    ASSERT_TRUE(path) << path.error().message;
    EXPECT_EQ(path->time, best);
    EXPECT_EQ(path->commands, best_length);
    EXPECT_EQ(path->all_commands, 41);
    EXPECT_EQ(path->all_time, all);
  }
}

}  // namespace
}  // namespace assay::analysis
