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
  return FusionCosts(timeline).fused_ns(timeline, made.chain);
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
  EXPECT_NEAR(fused_ns({{2, 2, 2, 2}, 401'000}), 1'601'000, 1) << "nor longer than it was";
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
