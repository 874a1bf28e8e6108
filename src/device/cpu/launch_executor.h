// Runs the threadgroups of a launch over the thread pool, whatever the form of the kernel's code.
// A kernel that crashes or runs too long ends its launch and nothing else.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/thread_pool.h"
#include "device/cpu/group_runner.h"
#include "device/cpu/launch.h"
#include "device/cpu/launch_progress.h"
#include "device/cpu/watchdog.h"

namespace assay::device::cpu {

// Thread-safe: several queues may run launches at once.
class LaunchExecutor {
 public:
  struct Options {
    GroupRunner::Options groups;
    uint64_t time_limit_ns = 0;  // of one launch; 0 for none
  };
  // Throws std::system_error when the system gives no thread to watch the time limit.
  LaunchExecutor(std::shared_ptr<base::ThreadPool> pool, const Options& options);

  // Returns when all groups are done, or with an error when the kernel crashed or ran too long.
  Result<void> run(const Launch& launch);

 private:
  // Borrowed from the executor for as long as one thread runs groups of one launch.
  class RunnerLease;

  Result<void> check_private_memory(const Launch& launch) const;
  // True when it is clear from the start that several threads are worth waking.
  bool is_large(const Launch& launch) const;
  // Runs groups on this thread until all are done, one fails or the work turns out to be worth
  // sharing; returns the number of groups done.
  uint64_t run_alone(LaunchProgress& progress);
  void run_shared(LaunchProgress& progress, uint64_t first_group);
  // All groups on this thread, in the order that the checks want if there are any, and with more
  // time.
  void run_in_order(LaunchProgress& progress);
  // Runs [begin, end) on this thread.
  void run_range(LaunchProgress& progress, uint64_t begin, uint64_t end);

  const std::shared_ptr<base::ThreadPool> pool_;
  const GroupRunner::Options options_;
  const Watchdog watchdog_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GroupRunner>> idle_runners_;  // guarded by mutex_
};

}  // namespace assay::device::cpu
