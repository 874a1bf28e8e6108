// See fusion_estimate.h.
//
// A kernel computes while it waits for memory, so that the longer of the two is its time. Fused
// kernels compute all that the single ones compute, and move less, of which they hide nearly all.
// How much of a recorded time is which comes from the costs of ops and the copy speed of the
// machine: a recording on a busy machine has longer times, of which the shares are the same. An op
// costs what it was found to cost inside of a fused kernel, also where it takes less by itself; but
// clocks change, and those that computed all the time tell how the clock was.
#include "analysis/report/fusion_estimate.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace assay::analysis {
namespace {

constexpr double kNanoseconds = 1e9;
constexpr double kUsualLaunch_ns = 1000;  // where nobody measured it
// An op takes a program no longer to ask for; beyond that it did something else meanwhile.
constexpr double kMostHost_ns = 20'000;

double elements_of(const TimedCommand& command) {
  constexpr int64_t kUsualBytes = 4;
  return static_cast<double>(command.threads > 0 ? command.threads
                                                 : command.bytes_written / kUsualBytes);
}

void add_bandwidth(std::string_view name, double value, std::string_view prefix,
                   std::map<int64_t, double>& bandwidths) {
  if (!name.starts_with(prefix)) return;
  int64_t bytes = 0;
  std::from_chars(name.data() + prefix.size(), name.data() + name.size(), bytes);
  if (bytes > 0) bandwidths.emplace(bytes, value);
}

// Names of fused kernels are those of their ops, joined. 0 without figures.
double sum_of_ops(const std::map<std::string, double, std::less<>>& figures,
                  const std::string& kernel) {
  if (const auto found = figures.find(kernel); found != figures.end()) return found->second;
  const auto product = figures.find("multiply");
  const double usual = product == figures.end() ? 0 : product->second;
  double sum = 0;
  for (size_t begin = 0; begin <= kernel.size();) {
    const size_t end = std::min(kernel.find('_', begin), kernel.size());
    const auto found = figures.find(std::string_view(kernel).substr(begin, end - begin));
    sum += found == figures.end() ? usual : found->second;
    begin = end + 1;
  }
  return sum;
}

// Of the nearest size that was measured: caches are faster than memory. 0 where nobody knows.
double nearest(const std::map<int64_t, double>& bandwidths, int64_t bytes) {
  double best = 0, distance = INFINITY;
  for (const auto& [measured, bandwidth] : bandwidths) {
    const double away = std::abs(std::log2(static_cast<double>(std::max<int64_t>(bytes, 1))) -
                                 std::log2(static_cast<double>(measured)));
    if (away < distance) best = bandwidth, distance = away;
  }
  return best;
}

}  // namespace

FusionCosts::FusionCosts(const Timeline& timeline)
    : launch_overhead_ns_(timeline.measurement("launch_overhead").value_or(kUsualLaunch_ns)),
      exposed_traffic_(timeline.measurement("exposed_traffic").value_or(0)),
      evaluation_of_one_ns_(timeline.measurement("evaluation_of_one").value_or(0)),
      evaluation_of_fused_ns_(timeline.measurement("evaluation_of_fused").value_or(0)) {
  constexpr std::string_view kCost = "cost_of_", kTime = "time_of_";
  for (const auto& [name, value] : timeline.measurements) {
    if (name.starts_with(kCost)) op_costs_.emplace(name.substr(kCost.size()), value);
    if (name.starts_with(kTime)) op_times_.emplace(name.substr(kTime.size()), value);
    add_bandwidth(name, value, "copy_bandwidth_", copy_bandwidths_);
    add_bandwidth(name, value, "in_place_bandwidth_", in_place_bandwidths_);
  }
}

// Without figures all of it is traffic, and the estimate is the most there can be.
FusionCosts::Parts FusionCosts::parts_of(const std::string& kernel, const TimedCommand& command,
                                         bool is_in_place) const {
  const double in_place = is_in_place ? nearest(in_place_bandwidths_, command.bytes()) : 0;
  const double bandwidth = in_place > 0 ? in_place : nearest(copy_bandwidths_, command.bytes());
  if (bandwidth == 0) return {.memory_ns = work_ns(command)};
  const double elements = elements_of(command);
  const double compute = elements * sum_of_ops(op_costs_, kernel);
  return {.compute_ns = compute,
          .alone_ns = op_times_.empty() ? compute : elements * sum_of_ops(op_times_, kernel),
          .memory_ns = static_cast<double>(command.bytes()) / bandwidth * kNanoseconds};
}

// Without the launch.
double FusionCosts::work_ns(const TimedCommand& command) const {
  return std::max(0.0, static_cast<double>(command.time.length()) - launch_overhead_ns_);
}

FusionCosts::ShortestTimes FusionCosts::find_shortest(std::span<const Chain* const> chains) const {
  ShortestTimes shortest;
  for (const Chain* chain : chains) {
    for (size_t i = 0; i < chain->commands.size(); ++i) {
      Shortest& each = shortest[{i, chain->commands[i]->bytes()}];
      each.time_ns = std::min(each.time_ns, work_ns(*chain->commands[i]));
      ++each.count;
    }
  }
  return shortest;
}

// What it takes on a machine that does nothing else: the shortest of many, unless all were slow.
double FusionCosts::usual_ns(const Shortest& shortest, const Parts& parts) {
  constexpr int kMany = 5;
  constexpr double kMostBeside = 1.25;  // computing and waiting do not overlap wholly
  const double least = std::max(parts.alone_ns, parts.memory_ns);
  return shortest.count < kMany ? least : std::min(shortest.time_ns, kMostBeside * least);
}

std::vector<FusionCosts::Step> FusionCosts::steps_of(const Timeline& timeline, const Chain& chain,
                                                     const ShortestTimes& shortest) const {
  std::vector<Step> steps;
  for (size_t i = 0; i < chain.commands.size(); ++i) {
    const TimedCommand& command = *chain.commands[i];
    // All but the first write where they read: their input was made for them.
    const Parts parts = parts_of(timeline.name_of(command), command, i > 0);
    const double usual = usual_ns(shortest.at({i, command.bytes()}), parts);
    steps.push_back({parts, work_ns(command), usual});
  }
  return steps;
}

double FusionCosts::clock_of(const std::vector<Step>& steps) {
  double usual = 0, measured = 0;
  for (const Step& step : steps) {
    if (step.parts.alone_ns < step.parts.memory_ns) continue;
    usual += step.usual_ns;
    measured += step.parts.alone_ns;
  }
  constexpr double kFastest = 0.5;  // beyond that the figures are of another machine
  return measured > 0 ? std::max(kFastest, usual / measured) : 1;
}

double FusionCosts::fused_ns(const std::vector<Step>& steps, const Chain& chain) const {
  const double clock = clock_of(steps);
  double total = 0, compute = 0, memory = 0;
  for (const Step& step : steps) {
    // Slower than usual is so for both.
    const double slowness = step.usual_ns > 0 ? std::max(1.0, step.work_ns / step.usual_ns) : 1;
    total += step.work_ns;
    compute += step.parts.compute_ns * clock * slowness;
    memory += std::min(step.work_ns, step.parts.memory_ns * slowness);
  }
  if (chain.bytes > 0) {
    memory *= static_cast<double>(chain.fused_bytes) / static_cast<double>(chain.bytes);
  }
  const double fused = std::max(compute + exposed_traffic_ * memory, memory);
  return std::min(fused, total) + launch_overhead_ns_;
}

double FusionCosts::fused_ns(const Timeline& timeline, std::span<const Chain* const> chains) const {
  const ShortestTimes shortest = find_shortest(chains);
  double sum = 0;
  for (const Chain* chain : chains) sum += fused_ns(steps_of(timeline, *chain, shortest), *chain);
  return sum;
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
