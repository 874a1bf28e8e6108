// Element-wise kernels that run one by one, each through memory, where compile would make one.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/report/rules/rules.h"
#include "base/format.h"

namespace assay::analysis {
namespace {

constexpr double kLeastShare = 0.04;
constexpr double kUsualOverhead_ns = 1000;  // of a dispatch, where nobody measured it

// Chains of the same kernels from the same lines.
struct ChainGroup {
  std::vector<const Chain*> chains;
  int64_t time_ns = 0;
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

// Ops that compute for long: a fused kernel has to compute them all, while each of them alone hides
// that behind its traffic.
bool is_costly(const std::string& name) {
  constexpr std::string_view kNames[] = {
      "sin",   "cos",     "tan",     "arcsin",  "arccos",  "arctan", "sinh",      "cosh",
      "tanh",  "arcsinh", "arccosh", "arctanh", "exp",     "expm1",  "log",       "log2",
      "log10", "log1p",   "erf",     "erfinv",  "sigmoid", "power",  "logaddexp", "arctan2"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

// The share of the traffic's time that fusing saves on this device, if it was measured; without
// that all of it, which is the most there can be.
double saved_share(const RuleContext& context, const Chain& chain) {
  const auto costly = std::ranges::count_if(chain.commands, [&](const TimedCommand* command) {
    return is_costly(context.timeline.name_of(*command));
  });
  const double share = static_cast<double>(costly) / static_cast<double>(chain.commands.size());
  return share * context.timeline.measurement("fusion_costly").value_or(1) +
         (1 - share) * context.timeline.measurement("fusion_cheap").value_or(1);
}

// One kernel moves fewer bytes and is launched once; it computes as much.
int64_t estimate_saving(const RuleContext& context, const ChainGroup& group) {
  const double overhead =
      context.timeline.measurement("launch_overhead").value_or(kUsualOverhead_ns);
  const double launches =
      static_cast<double>(group.chains.size() * (group.chains[0]->commands.size() - 1));
  double saving = overhead * launches;
  if (context.bandwidth > 0) {
    saving += saved_share(context, *group.chains[0]) * static_cast<double>(group.saved_bytes) /
              context.bandwidth * 1e9;
  }
  return static_cast<int64_t>(std::min(saving, 0.95 * static_cast<double>(group.time_ns)));
}

Finding describe(const RuleContext& context, const ChainGroup& group, int64_t saving) {
  const Chain& first = *group.chains[0];
  const std::vector<std::string> names = names_of(context, first);
  Finding finding{.rule = "unfused-chain"};
  set_gain(context.activity, saving, finding);
  finding.title = fmt::format("{} element-wise kernels run one by one: compile would save about {}",
                              names.size(), percent(finding.gain_share));
  finding.detail = fmt::format(
      "{} run {} times, each reads from memory what the one before wrote. As one kernel they would "
      "move {} instead of {}: about {} of their {}.",
      join_names(names), group.chains.size(),
      base::format_bytes(static_cast<uint64_t>(group.bytes - group.saved_bytes)),
      base::format_bytes(static_cast<uint64_t>(group.bytes)), duration(saving),
      duration(group.time_ns));
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
    group.time_ns += chain.time_ns;
    group.bytes += chain.bytes;
    group.saved_bytes += chain.saved_bytes();
  }
  for (const auto& [signature, group] : groups) {
    const int64_t saving = estimate_saving(context, group);
    if (context.activity.share(saving) < kLeastShare) continue;
    findings.push_back(describe(context, group, saving));
  }
}

}  // namespace assay::analysis
