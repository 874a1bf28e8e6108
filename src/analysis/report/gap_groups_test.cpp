#include "analysis/report/gap_groups.h"

#include <gtest/gtest.h>

namespace assay::analysis {
namespace {

using trace::SpanKind;

constexpr int64_t kBuild_ns = 500'000;
constexpr int64_t kEncode_ns = 100'000;
constexpr int64_t kStep_ns = 1'000'000;

// Steps that have the time of a few hundred calls of ops between their first op and the evaluation.
Timeline make_steps(int64_t commands) {
  Timeline timeline;
  for (int64_t step = 0; step < 10; ++step) {
    const int64_t begin = step * kStep_ns;
    const int64_t encoded = begin + kBuild_ns + kEncode_ns;
    timeline.spans.push_back({.kind = SpanKind::kBuild, .time = {begin, begin + kBuild_ns}});
    timeline.spans.push_back({.kind = SpanKind::kEncode, .time = {begin + kBuild_ns, encoded}});
    timeline.spans.push_back({.kind = SpanKind::kWait, .time = {encoded, begin + kStep_ns}});
    const int64_t length = (kStep_ns - kBuild_ns - kEncode_ns) / commands;
    for (int64_t i = 0; i < commands; ++i) {
      timeline.commands.push_back({.id = static_cast<trace::Id>(timeline.commands.size() + 1),
                                   .time = {encoded + i * length, encoded + (i + 1) * length}});
    }
  }
  return timeline;
}

std::vector<GapGroup> groups_of(const Timeline& timeline) {
  const Activity activity = find_activity(timeline);
  std::vector<GapGroup> groups =
      group_gaps({.timeline = timeline, .activity = activity, .chains = {}, .kernels = {}});
  for (GapGroup& group : groups) group.gaps.clear();  // they point into the activity
  return groups;
}

TEST(GapGroups, blame_asking_where_calls_of_many_ops_fill_the_gap) {
  const std::vector<GapGroup> groups = groups_of(make_steps(300));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].cause, GapCause::kAsking);
}

TEST(GapGroups, blame_the_program_where_it_works_between_few_ops) {
  const std::vector<GapGroup> groups = groups_of(make_steps(4));
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_EQ(groups[0].cause, GapCause::kProgram);
}

}  // namespace
}  // namespace assay::analysis
