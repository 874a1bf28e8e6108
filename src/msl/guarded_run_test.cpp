// Work is stopped for what it uses itself, not for what others leave to it.
#include "msl/guarded_run.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace assay::msl {
namespace {

constexpr GuardedLimits kLimits{.seconds = 0.3, .memory_bytes = 1ULL << 40};

TEST(GuardedRun, lets_work_finish_that_is_slow_because_it_has_to_wait) {
  auto start = std::chrono::steady_clock::now();
  GuardedOutcome outcome = run_guarded(
      [] {
        for (int i = 0; i < 100; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
      },
      kLimits);
  EXPECT_EQ(outcome, GuardedOutcome::kFinished);
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
}

TEST(GuardedRun, stops_work_that_uses_too_much_of_the_processor) {
  std::atomic<bool> never{false};
  auto spin = [&] {
    while (!never.load(std::memory_order_relaxed)) {
    }
  };
  EXPECT_EQ(run_guarded(spin, kLimits), GuardedOutcome::kOutOfTime);
}

TEST(GuardedRun, stops_work_that_waits_for_ever) {
  EXPECT_EQ(run_guarded([] { ::pause(); }, kLimits), GuardedOutcome::kStuck);
}

}  // namespace
}  // namespace assay::msl
