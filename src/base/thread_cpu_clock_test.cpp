// The clock counts work of its own thread and nothing else.
#include "base/thread_cpu_clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace assay::base {
namespace {

using std::chrono::milliseconds;

// Returns when the calling thread has used that much processor time.
void work_for(milliseconds time) {
  auto end = ThreadCpuClock::now() + time;
  while (ThreadCpuClock::now() < end) {
  }
}

TEST(ThreadCpuClock, counts_work_and_leaves_out_waiting) {
  auto start = ThreadCpuClock::now();
  std::this_thread::sleep_for(milliseconds(200));
  EXPECT_LT(ThreadCpuClock::now() - start, milliseconds(100));

  auto wall_start = std::chrono::steady_clock::now();
  work_for(milliseconds(20));
  EXPECT_GE(std::chrono::steady_clock::now() - wall_start, milliseconds(20));
}

TEST(ThreadCpuClock, leaves_out_the_work_of_other_threads) {
  auto start = ThreadCpuClock::now();
  std::thread([] { work_for(milliseconds(200)); }).join();
  EXPECT_LT(ThreadCpuClock::now() - start, milliseconds(100));
}

TEST(ThreadCpuClock, takes_any_number_of_seconds) {
  const auto at_once = ThreadCpuClock::after(0);
  EXPECT_LE(at_once, ThreadCpuClock::now());
  EXPECT_GT(ThreadCpuClock::after(1e300), ThreadCpuClock::now() + std::chrono::hours(24));
}

}  // namespace
}  // namespace assay::base
