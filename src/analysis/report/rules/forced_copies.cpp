// Inputs whose rows do not follow one another, copied before an op can use them.
#include <fmt/format.h>

#include <map>

#include "analysis/report/rules/rules.h"
#include "base/format.h"

namespace assay::analysis {
namespace {

constexpr double kLeastShare = 0.03;

struct Copies {
  std::vector<const TimedCommand*> commands;
  int64_t time_ns = 0;
  int64_t bytes = 0;
};

}  // namespace

void look_for_forced_copies(const RuleContext& context, std::vector<Finding>& findings) {
  std::map<std::pair<trace::Id, trace::Id>, Copies> places;  // by line and op
  for (const TimedCommand* command : context.activity.commands) {
    if (command->role != trace::CommandRole::kForcedCopy) continue;
    Copies& copies = places[{command->site, command->label}];
    copies.commands.push_back(command);
    copies.time_ns += command->time.length();
    copies.bytes += command->bytes();
  }
  for (const auto& [place, copies] : places) {
    if (context.activity.share(copies.time_ns) < kLeastShare) continue;
    Finding finding{.rule = "forced-copy"};
    set_gain(context.activity, copies.time_ns, finding);
    const std::string op = context.timeline.text(place.second);
    finding.title =
        fmt::format("{} copies its input first: {} of the time", op, percent(finding.gain_share));
    finding.detail = fmt::format(
        "{} needs rows that follow one another, and gets an array where they do not (a transposed, "
        "sliced or broadcast one): {} copies, {} moved, {}.",
        op, copies.commands.size(), base::format_bytes(static_cast<uint64_t>(copies.bytes)),
        duration(copies.time_ns));
    finding.evidence = {{"copies", fmt::format("{}", copies.commands.size())},
                        {"time", duration(copies.time_ns)},
                        {"bytes moved", base::format_bytes(static_cast<uint64_t>(copies.bytes))}};
    finding.site = context.timeline.text(place.first);
    finding.advice =
        "copy once, outside of the loop (mx.contiguous), make the array in the layout it is used "
        "in, "
        "or let a custom kernel read strides (ensure_row_contiguous=False)";
    add_commands(copies.commands, finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace assay::analysis
