// Spreads the groups of a launch over threads.
#include "device/cpu/launch_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "base/format.h"
#include "device/clock.h"
#include "device/cpu/float_environment.h"
#include "device/cpu/kernel_guard.h"

namespace assay::device::cpu {
namespace {

// Work that ends within this time is not worth waking other threads for.
constexpr uint64_t kAloneNs = 10'000;
// One that is expected to take longer than this is shared from its first group on.
constexpr double kLargeNs = 2 * kAloneNs;
// The same for a kernel that has not run yet.
constexpr double kLargeThreads = 16384;

// Whether the groups that are left should be shared, after `done` groups took `elapsed_ns`.
bool is_worth_sharing(uint64_t elapsed_ns, uint64_t done, uint64_t left) {
  if (elapsed_ns <= kAloneNs) return false;
  const double group_ns = static_cast<double>(elapsed_ns) / static_cast<double>(done);
  return group_ns * static_cast<double>(left) > kAloneNs;
}

// Others may see results that went around the caches late, unless the thread waits for them.
void publish_results(const Launch& launch) {
#if defined(__x86_64__)
  if (launch.context.streams_results != 0) __builtin_ia32_sfence();
#endif
}

}  // namespace

class LaunchExecutor::RunnerLease {
 public:
  explicit RunnerLease(LaunchExecutor& executor) : executor_(executor) {
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
  LaunchExecutor& executor_;
  std::unique_ptr<GroupRunner> runner_;
};

LaunchExecutor::LaunchExecutor(std::shared_ptr<base::ThreadPool> pool, const Options& options)
    : pool_(std::move(pool)), options_(options.groups), watchdog_(options.time_limit_ns) {}

// All frames of a group exist at once, on every host thread that runs groups.
Result<void> LaunchExecutor::check_private_memory(const Launch& launch) const {
  const uint64_t frames = launch.frames_per_group();
  if (frames == 0) return {};
  const uint64_t host_threads =
      std::min<uint64_t>(launch.threadgroups.count(), pool_->worker_count() + 1);
  const uint64_t limit = launch.kernel.device()->limits.recommended_working_set_bytes;
  const uint64_t frame_bytes = launch.kernel.frame_bytes();
  if (frame_bytes <= limit / frames / host_threads) return {};
  // Frames that are too large by themselves would wrap.
  const uint64_t group_bytes =
      frame_bytes > UINT64_MAX / frames ? UINT64_MAX : frame_bytes * frames;
  return Error{fmt::format(
      "[dispatch] kernel '{}': {} of private memory for one threadgroup, of which {} run at once, "
      "are over the limit of {}; use a smaller threadgroup or smaller arrays in the kernel",
      launch.kernel.info().name, base::format_bytes(group_bytes), host_threads,
      base::format_bytes(limit))};
}

Result<void> LaunchExecutor::run(const Launch& launch) {
  if (Result<void> fits = check_private_memory(launch); !fits) return fits;
  const FloatEnvironment environment;
  const uint64_t group_count = launch.threadgroups.count();
  LaunchProgress progress(launch, watchdog_);
  if (launch.runs_in_order()) {
    run_in_order(progress);
    return progress.result();
  }
  const uint64_t done = is_large(launch) ? 0 : run_alone(progress);
  if (done < group_count && !progress.has_failed()) run_shared(progress, done);
  if (!progress.has_failed()) launch.kernel.set_cost(progress.busy_ns(), launch.thread_count());
  return progress.result();
}

bool LaunchExecutor::is_large(const Launch& launch) const {
  if (pool_->worker_count() == 0 || launch.threadgroups.count() == 1) return false;
  const std::optional<double> cost_ns = launch.kernel.thread_cost_ns();
  const auto threads = static_cast<double>(launch.thread_count());
  return cost_ns.has_value() ? *cost_ns * threads > kLargeNs : threads > kLargeThreads;
}

uint64_t LaunchExecutor::run_alone(LaunchProgress& progress) {
  const RunnerLease lease(*this);
  GroupRunner& runner = *lease;
  if (Result<void> prepared = runner.prepare(progress.launch()); !prepared) {
    progress.fail(prepared.error());
    return 0;
  }
  const bool can_share = pool_->worker_count() != 0;
  const uint64_t group_count = progress.launch().threadgroups.count();
  uint64_t group = 0;
  const auto fault = run_guarded(
      [&] {
        while (group < group_count) {
          runner.run_group(group++);
          // Reading the clock takes as long as a small group: only after 1, 2, 4, … groups.
          if (!can_share || group == group_count || !std::has_single_bit(group)) continue;
          const uint64_t elapsed_ns = now_ns() - progress.started_ns();
          if (is_worth_sharing(elapsed_ns, group, group_count - group)) break;
        }
      },
      progress.deadline_ns());
  publish_results(progress.launch());
  if (fault.has_value()) progress.fail(runner.place_fault(*fault));
  progress.add_busy_ns(now_ns() - progress.started_ns());
  return group;
}

// Ranges are handed out in rising order, so the lowest unfinished group is always running: kernels
// in which a group waits for groups before it make progress.
void LaunchExecutor::run_shared(LaunchProgress& progress, uint64_t first_group) {
  const uint64_t group_count = progress.launch().threadgroups.count() - first_group;
  pool_->parallel_for_ranges(group_count, [&](uint64_t begin, uint64_t end) {
    run_range(progress, first_group + begin, first_group + end);
  });
}

void LaunchExecutor::run_in_order(LaunchProgress& progress) {
  // About what checks cost, and what one thread costs.
  const uint64_t slow_down = progress.launch().checks != nullptr ? 50 : 4;
  const RunnerLease lease(*this);
  GroupRunner& runner = *lease;
  if (Result<void> prepared = runner.prepare(progress.launch()); !prepared) {
    progress.fail(prepared.error());
    return;
  }
  const uint64_t limit_ns = progress.deadline_ns() - progress.started_ns();
  // Nobody waits for an hour to hear of a kernel that never ends.
  constexpr uint64_t kMostExtension_ns = 600'000'000'000;
  const uint64_t extended_ns = std::min(limit_ns, kMostExtension_ns / slow_down) * slow_down;
  const uint64_t deadline_ns =
      limit_ns > kNever / 2 ? kNever : progress.started_ns() + std::max(limit_ns, extended_ns);
  const LaunchChecks* checks = progress.launch().checks;
  const uint64_t group_count = progress.launch().threadgroups.count();
  const auto fault = run_guarded(
      [&] {
        for (uint64_t index = 0; index < group_count; ++index) {
          runner.run_group(checks == nullptr ? index : checks->group_at(index));
        }
      },
      deadline_ns);
  if (fault.has_value()) progress.fail(runner.place_fault(*fault));
}

void LaunchExecutor::run_range(LaunchProgress& progress, uint64_t begin, uint64_t end) {
  if (progress.has_failed()) return;
  const FloatEnvironment environment;
  const RunnerLease lease(*this);
  GroupRunner& runner = *lease;
  if (Result<void> prepared = runner.prepare(progress.launch()); !prepared) {
    progress.fail(prepared.error());
    return;
  }
  const uint64_t begin_ns = now_ns();
  const auto fault = run_guarded(
      [&] {
        for (uint64_t group = begin; group < end && !progress.has_failed(); ++group) {
          runner.run_group(group);
        }
      },
      progress.deadline_ns());
  publish_results(progress.launch());
  if (fault.has_value()) progress.fail(runner.place_fault(*fault));
  progress.add_busy_ns(now_ns() - begin_ns);
}

}  // namespace assay::device::cpu
