// Now and then the device waits long for the program, while most steps go well.
#include <fmt/format.h>

#include "analysis/report/gap_groups.h"
#include "analysis/report/rules/rules.h"

namespace assay::analysis {
namespace {

constexpr double kLeastShare = 0.15;
constexpr size_t kLeastGaps = 2;
// A pause of the machine's scheduler is shorter.
constexpr int64_t kLeastGap_ns = 15'000'000;

}  // namespace

void look_for_irregular_stalls(const RuleContext& context, std::vector<Finding>& findings) {
  for (const GapGroup& group : group_gaps(context)) {
    const bool is_host = group.cause == GapCause::kProgram || group.cause == GapCause::kRead;
    if (!is_host || is_regular(context, group)) continue;
    GapGroup longest{.cause = group.cause, .before = group.before, .after = group.after};
    for (const Gap* gap : group.gaps) {
      if (gap->time.length() < kLeastGap_ns) continue;
      longest.gaps.push_back(gap);
      longest.total_ns += gap->time.length();
    }
    if (longest.gaps.size() < kLeastGaps) continue;
    if (context.activity.share(longest.total_ns) < kLeastShare) continue;
    Finding finding{.rule = "irregular-stalls"};
    set_gain(context.activity, longest.total_ns, finding);
    finding.title = fmt::format("Now and then the device waits for the program: {} of the time",
                                percent(finding.gain_share));
    finding.detail = fmt::format(
        "{} of {} steps are followed by a gap of {} or more{}, {} in all; the others go on at "
        "once.",
        longest.gaps.size(), context.activity.evaluations.size(), duration(longest.usual_ns()),
        describe_place(context, longest), duration(longest.total_ns));
    finding.evidence = {{"long gaps", fmt::format("{}", longest.gaps.size())},
                        {"steps", fmt::format("{}", context.activity.evaluations.size())},
                        {"together", duration(longest.total_ns)},
                        {"after", context.timeline.text(longest.before)}};
    finding.site = context.timeline.text(longest.before != 0 ? longest.before : longest.after);
    finding.advice =
        "look for what only some steps do here (saving, logging, loading, collecting garbage), and "
        "do it on another thread";
    add_gaps(longest, finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace assay::analysis
