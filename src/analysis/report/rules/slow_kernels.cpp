// A custom kernel that takes much of the time and is far from what the device can do.
#include <fmt/format.h>

#include <map>

#include "analysis/report/rules/rules.h"
#include "base/format.h"

namespace assay::analysis {
namespace {

constexpr double kLeastShare = 0.2;
constexpr double kFarBelowPeak = 0.1;
// Less work than this says nothing about bandwidth.
constexpr int64_t kLeastBytes = 1 << 16;
constexpr int64_t kFewThreads = 1024;

struct Runs {
  std::vector<const TimedCommand*> commands;
  int64_t time_ns = 0;
  int64_t bytes = 0;
  int64_t threads = 0;  // the most of one run
};

}  // namespace

void look_for_slow_kernels(const RuleContext& context, std::vector<Finding>& findings) {
  if (context.bandwidth <= 0) return;
  std::map<trace::Id, Runs> kernels;
  for (const TimedCommand* command : context.activity.commands) {
    if (command->role != trace::CommandRole::kCustom) continue;
    Runs& runs = kernels[command->kernel];
    runs.commands.push_back(command);
    runs.time_ns += command->time.length();
    runs.bytes += command->bytes();
    runs.threads = std::max(runs.threads, command->threads);
  }
  for (const auto& [kernel, runs] : kernels) {
    const auto count = static_cast<int64_t>(runs.commands.size());
    if (context.activity.share(runs.time_ns) < kLeastShare || runs.bytes < kLeastBytes * count)
      continue;
    const double rate = static_cast<double>(runs.bytes) / (static_cast<double>(runs.time_ns) / 1e9);
    const double share = rate / context.bandwidth;
    if (share >= kFarBelowPeak) continue;
    const std::string name = context.timeline.name_of(*runs.commands[0]);
    Finding finding{.rule = "slow-kernel"};
    const double best_ns = static_cast<double>(runs.bytes) / context.bandwidth * 1e9;
    set_gain(context.activity, runs.time_ns - static_cast<int64_t>(best_ns), finding);
    finding.title = fmt::format("Kernel '{}' moves {:.2g} GB/s, {} of what the device can", name,
                                rate / 1e9, percent(share));
    finding.detail = fmt::format(
        "It runs {} times, {} in all, {} of the time, and touches {}. At the device's {:.1f} GB/s "
        "that takes {}.",
        count, duration(runs.time_ns), percent(context.activity.share(runs.time_ns)),
        base::format_bytes(static_cast<uint64_t>(runs.bytes)), context.bandwidth / 1e9,
        duration(static_cast<int64_t>(best_ns)));
    finding.evidence = {{"time", duration(runs.time_ns)},
                        {"bytes", base::format_bytes(static_cast<uint64_t>(runs.bytes))},
                        {"rate", fmt::format("{:.3g} GB/s", rate / 1e9)},
                        {context.is_bandwidth_measured ? "peak" : "best kernel of this trace",
                         fmt::format("{:.1f} GB/s", context.bandwidth / 1e9)},
                        {"threads", fmt::format("{}", runs.threads)}};
    finding.site = context.timeline.text(runs.commands[0]->site);
    finding.advice = runs.threads < kFewThreads
                         ? fmt::format(
                               "it has only {} threads: give each element, or a few of them, "
                               "a thread of its own",
                               runs.threads)
                         : "let neighbouring threads touch neighbouring elements, and read each "
                           "element once; if it computes much for each byte, this is its speed";
    add_commands(runs.commands, finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace assay::analysis
