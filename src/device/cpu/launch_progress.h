// One launch under way on several host threads: its deadline, whether it failed and why, and the
// time its groups took.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.h"
#include "device/clock.h"
#include "device/cpu/fault_report.h"
#include "device/cpu/launch.h"
#include "device/cpu/watchdog.h"

namespace assay::device::cpu {

// Thread-safe, but for result().
class LaunchProgress {
 public:
  LaunchProgress(const Launch& launch, const Watchdog& watchdog)
      : launch_(launch), started_ns_(now_ns()), deadline_ns_(watchdog.deadline_ns(started_ns_)) {}

  const Launch& launch() const { return launch_; }
  uint64_t started_ns() const { return started_ns_; }
  uint64_t deadline_ns() const { return deadline_ns_; }

  // After a failure the groups that have not begun are not run.
  bool has_failed() const { return failed_.load(std::memory_order_relaxed); }
  void fail(const Error& error);
  void fail(const GroupFault& fault);

  // Time that one host thread spent on groups.
  void add_busy_ns(uint64_t time_ns) { busy_ns_.fetch_add(time_ns, std::memory_order_relaxed); }
  uint64_t busy_ns() const { return busy_ns_.load(std::memory_order_relaxed); }

  // When no thread works on the launch any more.
  Result<void> result() const;

 private:
  const Launch& launch_;
  const uint64_t started_ns_;
  const uint64_t deadline_ns_;
  std::atomic<bool> failed_ = false;
  std::atomic<uint64_t> busy_ns_ = 0;
  std::mutex mutex_;  // guards what follows
  std::optional<Error> error_;
  std::vector<GroupFault> faults_;
};

}  // namespace assay::device::cpu
