// See fusion_estimate.h.
//
// A kernel computes while it waits for memory, so that the longer of the two is its time. Fused
// kernels compute all that the single ones compute, and move less, of which they hide nearly all.
// How much of a recorded time is which comes from the costs of ops and the copy speed of the
// machine: a recording on a busy machine has longer times, of which the shares are the same.
#include "analysis/report/fusion_estimate.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace assay::analysis {
namespace {

constexpr double kUsualLaunch_ns = 1000;  // where nobody measured it
// An op takes a program no longer to ask for; beyond that it did something else meanwhile.
constexpr double kMostHost_ns = 20'000;

double elements_of(const TimedCommand& command) {
  constexpr int64_t kUsualBytes = 4;
  return static_cast<double>(command.threads > 0 ? command.threads
                                                 : command.bytes_written / kUsualBytes);
}

}  // namespace

FusionCosts::FusionCosts(const Timeline& timeline)
    : launch_overhead_ns_(timeline.measurement("launch_overhead").value_or(kUsualLaunch_ns)),
      exposed_traffic_(timeline.measurement("exposed_traffic").value_or(0)),
      evaluation_of_one_ns_(timeline.measurement("evaluation_of_one").value_or(0)),
      evaluation_of_fused_ns_(timeline.measurement("evaluation_of_fused").value_or(0)) {
  constexpr std::string_view kCost = "cost_of_", kCopy = "copy_bandwidth_";
  for (const auto& [name, value] : timeline.measurements) {
    if (name.starts_with(kCost)) op_costs_.emplace(name.substr(kCost.size()), value);
    if (!name.starts_with(kCopy)) continue;
    int64_t bytes = 0;
    std::from_chars(name.data() + kCopy.size(), name.data() + name.size(), bytes);
    if (bytes > 0) copy_bandwidths_.emplace(bytes, value);
  }
}

// Names of fused kernels are those of their ops, joined.
double FusionCosts::compute_ns(const std::string& kernel) const {
  if (const auto found = op_costs_.find(kernel); found != op_costs_.end()) return found->second;
  const auto product = op_costs_.find("multiply");
  const double usual = product == op_costs_.end() ? 0 : product->second;
  double sum = 0;
  for (size_t begin = 0; begin <= kernel.size();) {
    const size_t end = std::min(kernel.find('_', begin), kernel.size());
    const auto found = op_costs_.find(std::string_view(kernel).substr(begin, end - begin));
    sum += found == op_costs_.end() ? usual : found->second;
    begin = end + 1;
  }
  return sum;
}

// Of the nearest size that was measured: caches are faster than memory.
double FusionCosts::copy_bandwidth(int64_t bytes) const {
  double best = 0, distance = INFINITY;
  for (const auto& [measured, bandwidth] : copy_bandwidths_) {
    const double away = std::abs(std::log2(static_cast<double>(std::max<int64_t>(bytes, 1))) -
                                 std::log2(static_cast<double>(measured)));
    if (away < distance) best = bandwidth, distance = away;
  }
  return best;
}

FusionCosts::Parts FusionCosts::parts_of(const std::string& kernel,
                                         const TimedCommand& command) const {
  const double bandwidth = copy_bandwidth(command.bytes());
  const auto time = static_cast<double>(command.time.length());
  // Without figures all of it is traffic, and the estimate is the most there can be.
  if (bandwidth == 0) return {.compute_ns = 0, .memory_ns = time};
  return {.compute_ns = elements_of(command) * compute_ns(kernel),
          .memory_ns = static_cast<double>(command.bytes()) / bandwidth * 1e9};
}

double FusionCosts::fused_ns(const Timeline& timeline, const Chain& chain) const {
  double compute = 0, memory = 0;
  for (const TimedCommand* command : chain.commands) {
    const Parts parts = parts_of(timeline.name_of(*command), *command);
    const double usual = std::max(parts.compute_ns, parts.memory_ns);
    const double time =
        std::max(0.0, static_cast<double>(command->time.length()) - launch_overhead_ns_);
    // Slower than usual is so for both. What was faster found its input in a cache, which makes
    // computing no shorter.
    const double slowness = usual > 0 ? std::max(1.0, time / usual) : 1;
    compute += std::min(time, parts.compute_ns * slowness);
    memory += std::min(time, parts.memory_ns * slowness);
  }
  const double moved =
      chain.bytes > 0 ? static_cast<double>(chain.fused_bytes) / static_cast<double>(chain.bytes)
                      : 0;
  return std::max(compute + exposed_traffic_ * memory * moved, memory * moved) +
         launch_overhead_ns_;
}

double FusionCosts::saved_host_ns(const Activity& activity,
                                  std::span<const Chain* const> chains) const {
  if (activity.commands.empty() || chains.empty()) return 0;
  double host = 0, chained = 0;
  for (const Gap& gap : activity.gaps) host += static_cast<double>(gap.build_ns + gap.encode_ns);
  for (const Chain* chain : chains) chained += static_cast<double>(chain->commands.size());
  // An evaluation has a cost of its own, whatever is in it.
  const double fixed = evaluation_of_one_ns_ * static_cast<double>(activity.evaluations.size());
  const auto commands = static_cast<double>(activity.commands.size());
  const double each = std::min(std::max(0.0, host - fixed) / commands, kMostHost_ns);
  const double fused = std::max(evaluation_of_fused_ns_ - evaluation_of_one_ns_, each);
  return std::max(0.0, chained * each - static_cast<double>(chains.size()) * fused);
}

}  // namespace assay::analysis
