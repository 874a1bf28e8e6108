#include "analysis/report/fusion_estimate.h"

#include <gtest/gtest.h>

namespace assay::analysis {
namespace {

constexpr int64_t kElements = 1'000'000;
constexpr int64_t kBytes = 4 * kElements;

// A machine that moves 8 bytes in a nanosecond and computes sin in 0.5 ns.
Timeline make_timeline() {
  Timeline timeline;
  timeline.measurements = {{"launch_overhead", 1000},     {"copy_bandwidth_8000000", 8e9},
                           {"copy_bandwidth_1000", 80e9}, {"cost_of_sin", 0.5},
                           {"cost_of_multiply", 0.01},    {"evaluation_of_one", 5000},
                           {"evaluation_of_fused", 7000}};
  timeline.kernels = {{1, "abs"}, {2, "sin"}, {3, "sin_multiply"}};
  return timeline;
}

struct MadeChain {
  std::vector<TimedCommand> commands;
  Chain chain;

  MadeChain(std::vector<trace::Id> kernels, int64_t time_ns) {
    for (const trace::Id kernel : kernels) {
      commands.push_back({.time = {0, time_ns},
                          .kernel = kernel,
                          .bytes_read = kBytes,
                          .bytes_written = kBytes,
                          .threads = kElements});
    }
    for (const TimedCommand& each : commands) {
      chain.commands.push_back(&each);
      chain.time_ns += each.time.length();
      chain.bytes += each.bytes();
    }
    chain.fused_bytes = 2 * kBytes;
  }
};

double fused_ns(const MadeChain& made, const Timeline& timeline = make_timeline()) {
  const Chain* chain = &made.chain;
  return FusionCosts(timeline).fused_ns(timeline, {&chain, 1});
}

TEST(FusionEstimate, cheap_ops_take_as_long_as_what_still_moves) {
  EXPECT_NEAR(fused_ns({{1, 1, 1, 1}, 1'001'000}), 1'001'000, 1);
}

TEST(FusionEstimate, costly_ops_still_have_to_be_computed) {
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 1'001'000}), 2'001'000, 1);
}

TEST(FusionEstimate, not_all_traffic_hides_behind_computing) {
  Timeline timeline = make_timeline();
  timeline.measurements["exposed_traffic"] = 0.2;
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 1'001'000}, timeline), 2'201'000, 1);
}

TEST(FusionEstimate, a_busy_machine_is_slow_at_both) {
  EXPECT_NEAR(fused_ns({{1, 1, 1, 1}, 3'001'000}), 3'001'000, 1);
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 3'001'000}), 6'001'000, 1);
}

TEST(FusionEstimate, a_cache_does_not_make_computing_shorter) {
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 601'000}), 2'001'000, 1);
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 401'000}), 1'601'000, 1) << "fusing makes nothing longer";
}

TEST(FusionEstimate, ops_that_write_where_they_read_move_less) {
  Timeline timeline = make_timeline();
  timeline.measurements["in_place_bandwidth_8000000"] = 16e9;
  // 1 ms is what the first takes; the others computed for all of it on a machine half as fast.
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 1'001'000}, timeline), 3'501'000, 1);
}

// Nanoseconds of all chains but one, which are as `usual` says, and of one that took longer.
double fused_beside_usual_ns(int64_t usual_ns, int64_t time_ns) {
  const MadeChain usual({2, 2}, usual_ns), held_up({2, 2}, time_ns);
  std::vector<const Chain*> chains(10, &usual.chain);
  const Timeline timeline = make_timeline();
  const double without = FusionCosts(timeline).fused_ns(timeline, chains);
  chains.push_back(&held_up.chain);
  return FusionCosts(timeline).fused_ns(timeline, chains) - without;
}

TEST(FusionEstimate, a_command_that_was_held_up_is_compared_with_others_of_its_kind) {
  EXPECT_NEAR(fused_beside_usual_ns(601'000, 1'201'000), 2'001'000, 1) << "twice as slow";
  EXPECT_NEAR(fused_beside_usual_ns(2'501'000, 2'501'000), 2'001'000, 1) << "all of them slow";
}

TEST(FusionEstimate, the_clock_is_that_of_the_recording) {
  Timeline timeline = make_timeline();
  timeline.measurements["in_place_bandwidth_8000000"] = 40e9;
  timeline.measurements["time_of_sin"] = 0.4;
  const MadeChain made({2, 2, 2}, 321'000);
  const std::vector<const Chain*> chains(8, &made.chain);
  // Alone they took 0.8 of what they did when they were measured; the same holds for their cost.
  // What the first moves takes longer than its computing, and says nothing.
  EXPECT_NEAR(FusionCosts(timeline).fused_ns(timeline, chains), 8 * (960'000 + 1000), 1)
      << "no longer than before";
  timeline.measurements["cost_of_sin"] = 0.3;
  EXPECT_NEAR(FusionCosts(timeline).fused_ns(timeline, chains), 8 * (3 * 240'000 + 1000), 1);
}

TEST(FusionEstimate, fused_kernels_compute_what_their_names_say) {
  EXPECT_NEAR(fused_ns({{3, 2}, 1'001'000}), 1'011'000, 1);
}

TEST(FusionEstimate, without_figures_only_traffic_counts) {
  Timeline timeline = make_timeline();
  timeline.measurements.clear();
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 1'001'000}, timeline), 1'001'000, 1);
}

// Ten evaluations of eight ops: the host takes 45 µs for each while the device waits.
struct MadeActivity {
  MadeChain made{{1, 1, 1, 1, 1, 1, 1, 1}, 500};
  Activity activity;
  std::vector<const Chain*> chains;

  explicit MadeActivity(int64_t host_ns = 45'000) {
    for (int i = 0; i < 10; ++i) {
      activity.evaluations.push_back({});
      activity.gaps.push_back({.build_ns = host_ns - 10'000, .encode_ns = 10'000});
      for (const TimedCommand& each : made.commands) activity.commands.push_back(&each);
      chains.push_back(&made.chain);
    }
  }
};

TEST(FusionEstimate, the_host_asks_for_one_kernel_instead_of_many) {
  const MadeActivity run;
  const double saved = FusionCosts(make_timeline()).saved_host_ns(run.activity, run.chains);
  EXPECT_NEAR(saved, 10 * (45'000 - 5'000 - 5'000), 1) << "one op's 5 µs remain, and what is fixed";
}

TEST(FusionEstimate, what_the_program_does_between_ops_is_not_saved) {
  const MadeActivity run(2'000'000);
  const double saved = FusionCosts(make_timeline()).saved_host_ns(run.activity, run.chains);
  EXPECT_NEAR(saved, 10 * 7 * 20'000, 1);
}

TEST(FusionEstimate, a_host_that_nobody_waits_for_saves_nothing) {
  MadeActivity run;
  run.activity.gaps.clear();
  EXPECT_EQ(FusionCosts(make_timeline()).saved_host_ns(run.activity, run.chains), 0);
}

}  // namespace
}  // namespace assay::analysis
