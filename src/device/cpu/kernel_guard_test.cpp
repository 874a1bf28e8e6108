// Guarded calls that are told to stop. What faults look like to a user is in containment_test.cpp.
#include "device/cpu/kernel_guard.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "device/clock.h"

namespace assay::device::cpu {
namespace {

TEST(KernelGuard, survives_any_number_of_requests_to_stop) {
  install_fault_handlers();
  std::atomic<bool> is_over = false;
  // Far more often than a watchdog would: as if the other threads never got the processor.
  std::thread impatient([&] {
    while (!is_over.load()) stop_overdue_calls(now_ns());
  });
  const std::atomic<bool> never = false;
  for (int i = 0; i < 300; ++i) {
    const std::optional<KernelFault> fault = run_guarded(
        [&] {
          while (!never.load(std::memory_order_relaxed)) {
          }
        },
        now_ns());
    ASSERT_TRUE(fault);
    ASSERT_EQ(fault->kind, FaultKind::kTimeLimit);
  }
  is_over.store(true);
  impatient.join();
}

TEST(KernelGuard, calls_in_time_are_left_alone) {
  install_fault_handlers();
  const uint64_t deadline = now_ns() + uint64_t{3600} * 1'000'000'000;
  std::atomic<bool> is_asked = false;
  std::atomic<bool> is_running = false;
  OverdueCalls calls;
  std::thread watchdog([&] {
    while (!is_running.load()) std::this_thread::yield();
    calls = stop_overdue_calls(now_ns());
    is_asked.store(true);
  });
  const std::optional<KernelFault> fault = run_guarded(
      [&] {
        is_running.store(true, std::memory_order_relaxed);
        while (!is_asked.load(std::memory_order_relaxed)) {
        }
      },
      deadline);
  watchdog.join();
  EXPECT_FALSE(fault);
  EXPECT_FALSE(calls.found);
  EXPECT_EQ(calls.next_deadline_ns, deadline);
}

}  // namespace
}  // namespace assay::device::cpu
