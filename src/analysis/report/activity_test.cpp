#include "analysis/report/activity.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace assay::analysis {
namespace {

using trace::SpanKind;

void add_command(Timeline& timeline, int64_t begin, int64_t end) {
  const auto id = static_cast<trace::Id>(timeline.commands.size() + 1);
  timeline.commands.push_back({.id = id, .command_buffer = id, .time = {begin, end}});
}

// An evaluation that encodes for 10 and waits until its work is done.
void add_step(Timeline& timeline, int64_t begin, int64_t work, bool is_compiling = false) {
  if (is_compiling)
    timeline.spans.push_back({.kind = SpanKind::kCompile, .time = {begin, begin + 5}});
  timeline.spans.push_back({.kind = SpanKind::kEncode, .time = {begin, begin + 10}, .site = 7});
  timeline.spans.push_back(
      {.kind = SpanKind::kWait, .time = {begin + 10, begin + 10 + work}, .site = 8});
  add_command(timeline, begin + 10, begin + 10 + work);
}

std::vector<std::string> phases_of(const Activity& activity) {
  std::vector<std::string> texts;
  for (const Phase& phase : activity.phases) {
    texts.push_back(phase.name + " " + std::to_string(phase.range.begin) + ".." +
                    std::to_string(phase.range.end));
  }
  return texts;
}
using Texts = std::vector<std::string>;

TEST(Activity, joins_ranges_that_overlap_or_touch) {
  const std::vector<TimeRange> joined =
      join_ranges({{50, 60}, {0, 10}, {5, 8}, {10, 20}, {55, 70}, {90, 91}});
  ASSERT_EQ(joined.size(), 3U);
  EXPECT_EQ(joined[0].begin, 0);
  EXPECT_EQ(joined[0].end, 20);
  EXPECT_EQ(joined[1].begin, 50);
  EXPECT_EQ(joined[1].end, 70);
  EXPECT_EQ(joined[2].length(), 1);
}

TEST(Activity, names_start_warm_up_and_end) {
  Timeline timeline;
  add_step(timeline, 1000, 90, true);
  for (int64_t i = 1; i <= 10; ++i) add_step(timeline, 1000 + 100 * i, 80);
  timeline.ended = 5000;
  const Activity activity = find_activity(timeline);
  EXPECT_EQ(phases_of(activity),
            (Texts{"start 0..1010", "warm-up 1010..1100", "steady 1100..2090", "end 2090..5000"}));
  EXPECT_EQ(activity.evaluations.size(), 10U);
  EXPECT_EQ(activity.busy_ns, 800);
  EXPECT_EQ(activity.idle_ns(), 190) << "10 before each step, 10 behind all but the last";
  ASSERT_EQ(activity.gaps.size(), 10U);
  EXPECT_EQ(activity.gaps[0].encode_ns, 10);
  EXPECT_EQ(activity.gaps[1].time.length(), 20);
  EXPECT_EQ(timeline.spans[static_cast<size_t>(activity.gaps[1].before)].kind, SpanKind::kWait);
  EXPECT_EQ(timeline.spans[static_cast<size_t>(activity.gaps[1].after)].time.begin, 1200);
}

TEST(Activity, counts_work_of_several_queues_once) {
  Timeline timeline;
  add_step(timeline, 0, 10, true);
  for (int64_t i = 1; i <= 6; ++i) add_step(timeline, 100 * i, 90);
  const int64_t alone = find_activity(timeline).busy_ns;
  for (int64_t i = 1; i <= 6; ++i) add_command(timeline, 100 * i + 20, 100 * i + 70);
  std::ranges::sort(timeline.commands, {},
                    [](const TimedCommand& each) { return each.time.begin; });
  EXPECT_EQ(find_activity(timeline).busy_ns, alone);
}

TEST(Activity, has_only_the_first_evaluation_to_warm_up_where_all_compile) {
  Timeline timeline;
  for (int64_t i = 0; i < 8; ++i) add_step(timeline, 100 * i, 50, true);
  const Activity activity = find_activity(timeline);
  EXPECT_EQ(activity.evaluations.size(), 7U);
  EXPECT_EQ(activity.window.begin, 100);
}

TEST(Activity, takes_command_buffers_where_nobody_told_of_evaluations) {
  Timeline timeline;
  for (int64_t i = 0; i < 9; ++i) add_command(timeline, 100 * i, 100 * i + 60);
  const Activity activity = find_activity(timeline);
  EXPECT_EQ(activity.evaluations.size(), 9U);
  EXPECT_EQ(activity.busy_ns, 540);
}

TEST(Activity, of_nothing_is_empty) {
  const Timeline timeline;
  const Activity activity = find_activity(timeline);
  EXPECT_TRUE(activity.phases.empty());
  EXPECT_EQ(activity.idle_ns(), 0);
}

}  // namespace
}  // namespace assay::analysis
