// Spreads the groups of a launch over threads.
#include "device/cpu/reference_executor.h"

#include <optional>
#include <utility>

#include "device/clock.h"
#include "device/cpu/float_environment.h"

namespace assay::device::cpu {
namespace {

// A launch that ends within this time is not worth waking other threads for.
constexpr uint64_t kAloneNs = 10'000;

}  // namespace

class ReferenceExecutor::RunnerLease {
 public:
  explicit RunnerLease(ReferenceExecutor& executor) : executor_(executor) {
    {
      const std::lock_guard lock(executor_.mutex_);
      if (!executor_.idle_runners_.empty()) {
        runner_ = std::move(executor_.idle_runners_.back());
        executor_.idle_runners_.pop_back();
      }
    }
    if (runner_ == nullptr) runner_ = std::make_unique<GroupRunner>(executor_.options_);
  }
  ~RunnerLease() {
    const std::lock_guard lock(executor_.mutex_);
    executor_.idle_runners_.push_back(std::move(runner_));
  }
  RunnerLease(const RunnerLease&) = delete;
  RunnerLease& operator=(const RunnerLease&) = delete;

  GroupRunner& operator*() const { return *runner_; }

 private:
  ReferenceExecutor& executor_;
  std::unique_ptr<GroupRunner> runner_;
};

ReferenceExecutor::ReferenceExecutor(std::shared_ptr<base::ThreadPool> pool,
                                     GroupRunner::Options options)
    : pool_(std::move(pool)), options_(options) {}

Result<void> ReferenceExecutor::run(const Launch& launch) {
  const FloatEnvironment environment;
  const uint64_t group_count = launch.threadgroups.count();
  uint64_t done = 0;
  {
    const RunnerLease lease(*this);
    if (Result<void> prepared = (*lease).prepare(launch); !prepared) return prepared;
    done = run_alone(*lease, group_count);
  }
  if (done == group_count) return {};
  return run_shared(launch, done, group_count);
}

uint64_t ReferenceExecutor::run_alone(GroupRunner& runner, uint64_t group_count) const {
  const bool can_share = pool_->worker_count() != 0;
  const uint64_t end_ns = now_ns() + kAloneNs;
  uint64_t group = 0;
  while (group < group_count) {
    runner.run_group(group++);
    if (can_share && now_ns() > end_ns) break;
  }
  return group;
}

// Ranges are handed out in rising order, so the lowest unfinished group is always running: kernels
// in which a group waits for groups before it make progress.
Result<void> ReferenceExecutor::run_shared(const Launch& launch, uint64_t first_group,
                                           uint64_t group_count) {
  std::mutex failure_mutex;
  std::optional<Error> failure;
  pool_->parallel_for_ranges(group_count - first_group, [&](uint64_t begin, uint64_t end) {
    const FloatEnvironment environment;
    const RunnerLease lease(*this);
    if (Result<void> prepared = (*lease).prepare(launch); !prepared) {
      const std::lock_guard lock(failure_mutex);
      failure = prepared.error();
      return;
    }
    for (uint64_t group = begin; group < end; ++group) (*lease).run_group(first_group + group);
  });
  if (failure.has_value()) return *failure;
  return {};
}

}  // namespace assay::device::cpu
