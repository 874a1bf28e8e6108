// The watching thread.
#include "device/cpu/watchdog.h"

#include <algorithm>
#include <chrono>

#include "device/clock.h"
#include "device/cpu/kernel_guard.h"

namespace assay::device::cpu {
namespace {

// Between two attempts to stop a thread, and the shortest sleep of all.
constexpr uint64_t kRetryNs = 1'000'000;

uint64_t add_saturated(uint64_t a, uint64_t b) { return a > kNever - b ? kNever : a + b; }

}  // namespace

Watchdog::Watchdog(uint64_t limit_ns) : limit_ns_(limit_ns) {
  if (limit_ns == 0) return;
  thread_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

uint64_t Watchdog::deadline_ns(uint64_t started_ns) const {
  return limit_ns_ == 0 ? kNever : add_saturated(started_ns, limit_ns_);
}

void Watchdog::watch(const std::stop_token& stop) {
  // Longer sleeps would overflow the clock's arithmetic.
  constexpr uint64_t kLongestSleepNs = uint64_t{3600} * 1'000'000'000;
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    const uint64_t now = now_ns();
    const OverdueCalls calls = stop_overdue_calls(now);
    uint64_t sleep_ns = std::min(limit_ns_, calls.next_deadline_ns - now);
    if (calls.found) sleep_ns = kRetryNs;
    sleep_ns = std::clamp(sleep_ns, kRetryNs, kLongestSleepNs);
    stopped_.wait_for(lock, stop, std::chrono::nanoseconds(sleep_ns), [] { return false; });
  }
}

}  // namespace assay::device::cpu
