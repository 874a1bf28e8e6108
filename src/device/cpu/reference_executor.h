// The simple executor: threadgroups over the thread pool, one kernel thread at a time within each.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "base/thread_pool.h"
#include "device/cpu/executor.h"
#include "device/cpu/group_runner.h"

namespace assay::device::cpu {

class ReferenceExecutor : public Executor {
 public:
  ReferenceExecutor(std::shared_ptr<base::ThreadPool> pool, GroupRunner::Options options);

  Result<void> run(const Launch& launch) override;

 private:
  // Borrowed from the executor for as long as one thread runs groups of one launch.
  class RunnerLease;

  // Runs groups on this thread until all are done or the work turns out to be worth sharing;
  // returns the number of groups done.
  uint64_t run_alone(GroupRunner& runner, uint64_t group_count) const;
  Result<void> run_shared(const Launch& launch, uint64_t first_group, uint64_t group_count);

  const std::shared_ptr<base::ThreadPool> pool_;
  const GroupRunner::Options options_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GroupRunner>> idle_runners_;
};

}  // namespace assay::device::cpu
