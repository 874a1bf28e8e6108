// Element-wise kernels that run one by one, each through memory, where compile would make one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/report/fusion_estimate.h"
#include "analysis/report/rules/rules.h"
#include "base/format.h"

namespace assay::analysis {
namespace {

constexpr double kLeastShare = 0.04;

// Chains of the same kernels from the same lines.
struct ChainGroup {
  std::vector<const Chain*> chains;
  int64_t time_ns = 0;  // also that between the kernels
  int64_t bytes = 0, saved_bytes = 0;
};

std::vector<std::string> names_of(const RuleContext& context, const Chain& chain) {
  std::vector<std::string> names;
  for (const TimedCommand* command : chain.commands) {
    names.push_back(context.timeline.name_of(*command));
  }
  return names;
}

// The line that most of them come from; the first of several.
trace::Id main_site(const Chain& chain) {
  std::map<trace::Id, int> counts;
  for (const TimedCommand* command : chain.commands) ++counts[command->site];
  const auto most = std::ranges::max_element(
      chain.commands, {}, [&](const TimedCommand* command) { return counts[command->site]; });
  return (*most)->site;
}

struct Saving {
  int64_t device_ns = 0;
  int64_t host_ns = 0;  // while the device waits for it

  int64_t total_ns() const { return device_ns + host_ns; }
};

// One kernel moves fewer bytes and is launched once; it computes as much. The host has less to ask
// for.
Saving estimate_saving(const RuleContext& context, const FusionCosts& costs,
                       const ChainGroup& group) {
  const double fused = costs.fused_ns(context.timeline, group.chains);
  const double device = std::max(0.0, static_cast<double>(group.time_ns) - fused);
  return {static_cast<int64_t>(device),
          static_cast<int64_t>(costs.saved_host_ns(context.activity, group.chains))};
}

std::string describe_host(const RuleContext& context, const Saving& saving) {
  constexpr double kWorthSaying = 0.02;
  if (context.activity.share(saving.host_ns) < kWorthSaying) return ".";
  return fmt::format(", and about {} that the device waits while the program asks for them.",
                     duration(saving.host_ns));
}

Finding describe(const RuleContext& context, const ChainGroup& group, const Saving& saving) {
  const Chain& first = *group.chains[0];
  const std::vector<std::string> names = names_of(context, first);
  Finding finding{.rule = "unfused-chain"};
  set_gain(context.activity, saving.total_ns(), finding);
  finding.title = fmt::format("{} element-wise kernels run one by one: compile would save about {}",
                              names.size(), percent(finding.gain_share));
  finding.detail = fmt::format(
      "{} run {} times, each reads from memory what the one before wrote. As one kernel they would "
      "move {} instead of {}. That saves about {} of their {}{}",
      join_names(names), group.chains.size(),
      base::format_bytes(static_cast<uint64_t>(group.bytes - group.saved_bytes)),
      base::format_bytes(static_cast<uint64_t>(group.bytes)), duration(saving.device_ns),
      duration(group.time_ns), describe_host(context, saving));
  finding.evidence = {
      {"kernels", join_names(names)},
      {"times", fmt::format("{}", group.chains.size())},
      {"time", duration(group.time_ns)},
      {"bytes moved", base::format_bytes(static_cast<uint64_t>(group.bytes))},
      {"bytes that fusing saves", base::format_bytes(static_cast<uint64_t>(group.saved_bytes))},
      {context.is_bandwidth_measured ? "measured bandwidth" : "best bandwidth of this trace",
       fmt::format("{:.1f} GB/s", context.bandwidth / 1e9)}};
  finding.site = context.timeline.text(main_site(first));
  finding.advice =
      "put these lines into a function and call mx.compile(function) once, outside of the loop";
  for (const Chain* chain : group.chains) {
    add_commands(chain->commands, finding);
    add_range({chain->commands.front()->time.begin, chain->commands.back()->time.end}, finding);
  }
  return finding;
}

}  // namespace

void look_for_unfused_chains(const RuleContext& context, std::vector<Finding>& findings) {
  std::map<std::vector<std::pair<trace::Id, trace::Id>>, ChainGroup> groups;
  for (const Chain& chain : context.chains) {
    std::vector<std::pair<trace::Id, trace::Id>> signature;
    for (const TimedCommand* each : chain.commands)
      signature.emplace_back(each->kernel, each->site);
    ChainGroup& group = groups[signature];
    group.chains.push_back(&chain);
    group.time_ns += chain.time_ns + chain.between_ns;
    group.bytes += chain.bytes;
    group.saved_bytes += chain.saved_bytes();
  }
  const FusionCosts costs(context.timeline);
  for (const auto& [signature, group] : groups) {
    const Saving saving = estimate_saving(context, costs, group);
    if (context.activity.share(saving.total_ns()) < kLeastShare) continue;
    findings.push_back(describe(context, group, saving));
  }
}

}  // namespace assay::analysis
