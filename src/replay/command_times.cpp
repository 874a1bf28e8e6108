// See command_times.h.
#include "replay/command_times.h"

#include <algorithm>
#include <numeric>

#include "replay/command_scan.h"

namespace assay::replay {
namespace {

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Read and written; a range that is both counts twice.
uint64_t moved_bytes(const trace::CommandRecord& command) {
  uint64_t bytes = 0;
  for (const trace::BindingRecord& binding : command.bindings) {
    if (!binding.buffer) continue;
    const auto range = static_cast<uint64_t>(binding.range_end - binding.range_begin);
    bytes += range * ((is_read(binding) ? 1 : 0) + (is_written(binding) ? 1 : 0));
  }
  return bytes;
}

}  // namespace

void CommandTimes::add(const std::string& name, const trace::CommandRecord& command,
                       std::vector<double> runs_ns) {
  Row& row = rows_[{name, command.kind}];
  row.captured_ns.push_back(static_cast<double>(command.ended - command.started));
  row.replayed_ns.push_back(median(std::move(runs_ns)));
  row.bytes += moved_bytes(command);
}

std::vector<KernelTime> CommandTimes::summarize() const {
  std::vector<KernelTime> times;
  for (const auto& [key, row] : rows_) {
    times.push_back(
        {.name = key.first,
         .commands = row.replayed_ns.size(),
         .captured_ns = median(row.captured_ns),
         .replayed_ns = median(row.replayed_ns),
         .bytes = row.bytes,
         .total_ns = std::accumulate(row.replayed_ns.begin(), row.replayed_ns.end(), 0.0)});
  }
  std::ranges::sort(times, std::ranges::greater(), &KernelTime::total_ns);
  return times;
}

}  // namespace assay::replay
