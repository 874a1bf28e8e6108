// The program needs a value of each step (item(), conversions): it waits for the device, and then
// the device waits for it.
#include <fmt/format.h>

#include "analysis/report/gap_groups.h"
#include "analysis/report/rules/rules.h"

namespace assay::analysis {

void look_for_reads_in_loops(const RuleContext& context, std::vector<Finding>& findings) {
  for (const GapGroup& group : group_gaps(context)) {
    if (group.cause != GapCause::kRead || !is_regular(context, group)) continue;
    const std::string site = context.timeline.text(group.before);
    Finding finding{.rule = "read-in-loop"};
    set_gain(context.activity, group.total_ns, finding);
    finding.title = fmt::format("A value is read in every step: the device is idle {} of the time",
                                percent(finding.gain_share));
    finding.detail = fmt::format(
        "{} the program reads a value, which ends the evaluation; the device then has nothing to "
        "do for {} until the next one: {} times, {} in all.",
        site.empty() ? "Somewhere" : "At " + site, duration(group.usual_ns()), group.gaps.size(),
        duration(group.total_ns));
    finding.evidence = {{"reads", fmt::format("{}", group.gaps.size())},
                        {"usual gap behind one", duration(group.usual_ns())},
                        {"together", duration(group.total_ns)}};
    finding.site = site;
    finding.advice =
        "keep values as arrays and read them once for many steps; item(), float(), bool() and "
        "conversions to NumPy all read";
    add_gaps(group, finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace assay::analysis
