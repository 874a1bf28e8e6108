// The device waits for the program in every step: the program computes, loads or sleeps between two
// evaluations.
#include <fmt/format.h>

#include "analysis/report/gap_groups.h"
#include "analysis/report/rules/rules.h"

namespace assay::analysis {

void look_for_host_stalls(const RuleContext& context, std::vector<Finding>& findings) {
  for (const GapGroup& group : group_gaps(context)) {
    if (group.cause != GapCause::kProgram || !is_regular(context, group)) continue;
    Finding finding{.rule = "host-stall"};
    set_gain(context.activity, group.total_ns, finding);
    finding.title = fmt::format("The device waits for the program in every step: {} of the time",
                                percent(finding.gain_share));
    finding.detail = fmt::format(
        "After each evaluation the device has nothing to do for {} until the program asks for the "
        "next one{}: {} times, {} in all.",
        duration(group.usual_ns()), describe_place(context, group), group.gaps.size(),
        duration(group.total_ns));
    finding.evidence = {{"gaps", fmt::format("{}", group.gaps.size())},
                        {"usual length", duration(group.usual_ns())},
                        {"together", duration(group.total_ns)},
                        {"after", context.timeline.text(group.before)},
                        {"before", context.timeline.text(group.after)}};
    finding.site = context.timeline.text(group.before != 0 ? group.before : group.after);
    finding.advice =
        "start the next step with mx.async_eval before this work, do it on another thread, or do "
        "it "
        "once for several steps";
    add_gaps(group, finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace assay::analysis
