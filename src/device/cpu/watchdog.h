// Ends kernels that run longer than a limit.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>
#include <thread>

namespace assay::device::cpu {

// A thread that sleeps through kernels that end in time. Launches tell it nothing: it looks once
// per limit, and a launch that began after one look is over its limit only after the next one.
class Watchdog {
 public:
  // 0 means no limit and no thread. Throws std::system_error when the system gives no thread.
  explicit Watchdog(uint64_t limit_ns);

  uint64_t limit_ns() const { return limit_ns_; }
  // For run_guarded.
  uint64_t deadline_ns(uint64_t started_ns) const;

 private:
  void watch(const std::stop_token& stop);

  const uint64_t limit_ns_;
  std::mutex mutex_;
  std::condition_variable_any stopped_;
  std::jthread thread_;  // last: it uses the members above
};

}  // namespace assay::device::cpu
