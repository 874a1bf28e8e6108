// The simple executor: threadgroups over the thread pool, one kernel thread at a time within each.
// A kernel that crashes or runs too long ends its launch and nothing else.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/thread_pool.h"
#include "device/cpu/executor.h"
#include "device/cpu/group_runner.h"
#include "device/cpu/launch_progress.h"
#include "device/cpu/watchdog.h"

namespace assay::device::cpu {

class ReferenceExecutor : public Executor {
 public:
  struct Options {
    GroupRunner::Options groups;
    uint64_t time_limit_ns = 0;  // of one launch; 0 for none
  };
  // Throws std::system_error when the system gives no thread to watch the time limit.
  ReferenceExecutor(std::shared_ptr<base::ThreadPool> pool, const Options& options);

  Result<void> run(const Launch& launch) override;

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
  // Runs [begin, end) on this thread.
  void run_range(LaunchProgress& progress, uint64_t begin, uint64_t end);

  const std::shared_ptr<base::ThreadPool> pool_;
  const GroupRunner::Options options_;
  const Watchdog watchdog_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GroupRunner>> idle_runners_;  // guarded by mutex_
};

}  // namespace assay::device::cpu
