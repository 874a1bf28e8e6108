// See timed_run.h.
#include "cli/timed_run.h"

#include <algorithm>

namespace assay::cli {
namespace {

constexpr size_t kWarmUpRuns = 3;

}  // namespace

Result<double> run_once(device::Queue& queue, const DispatchJob& job) {
  std::unique_ptr<device::CommandBuffer> commands = queue.command_buffer();
  if (Result<void> added = commands->dispatch(job.kernel, job.bindings, job.size); !added) {
    return added.error();
  }
  const std::shared_ptr<device::Submission> submission = queue.submit(std::move(commands));
  if (Result<void> done = submission->wait(); !done) return done.error();
  const kernel::DispatchTimes& times = submission->dispatches().front().times;
  return static_cast<double>(times.ended_ns - times.started_ns);
}

Result<TimeSummary> run_repeatedly(device::Queue& queue, const DispatchJob& job, size_t runs) {
  std::vector<double> times_ns;
  for (size_t i = 0; i < kWarmUpRuns + runs; ++i) {
    const Result<double> time_ns = run_once(queue, job);
    if (!time_ns) return time_ns.error();
    if (i >= kWarmUpRuns) times_ns.push_back(*time_ns);
  }
  return summarize(std::move(times_ns));
}

TimeSummary summarize(std::vector<double> times_ns) {
  std::ranges::sort(times_ns);
  const size_t middle = times_ns.size() / 2;
  const double median =
      times_ns.size() % 2 == 1 ? times_ns[middle] : (times_ns[middle - 1] + times_ns[middle]) / 2;
  return {times_ns.size(), median, times_ns.front()};
}

}  // namespace assay::cli
