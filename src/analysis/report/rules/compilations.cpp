// Kernels that are compiled in the middle of the run.
#include <fmt/format.h>

#include "analysis/report/rules/compile_groups.h"
#include "analysis/report/rules/rules.h"

namespace assay::analysis {
namespace {

constexpr double kLeastShare = 0.03;

}  // namespace

void look_for_compilations(const RuleContext& context, std::vector<Finding>& findings) {
  for (const auto& [site, group] : find_compilations(context)) {
    if (context.activity.share(group.time_ns) < kLeastShare) continue;
    std::vector<std::string> names;
    for (const TimedSpan* span : group.spans) {
      if (const std::string name = context.timeline.text(span->label); !name.empty()) {
        names.push_back(name);
      }
    }
    Finding finding{.rule = "compile-in-window"};
    set_gain(context.activity, group.time_ns, finding);
    finding.title = fmt::format(
        "{} compiled in the middle of the run: {} of the time",
        group.spans.size() == 1 ? "A kernel is" : fmt::format("{} kernels are", group.spans.size()),
        percent(finding.gain_share));
    finding.detail = fmt::format(
        "After the program had warmed up, {} had to be compiled, {} in all; measured times contain "
        "it.",
        names.empty() ? "kernels" : join_names(names), duration(group.time_ns));
    finding.evidence = {{"compilations", fmt::format("{}", group.spans.size())},
                        {"time", duration(group.time_ns)},
                        {"kernels", join_names(names)}};
    finding.site = context.timeline.text(site);
    finding.advice =
        "run every kind of step once before the loop that counts; the kernel cache keeps what was "
        "compiled for the next run of the program";
    for (const TimedSpan* span : group.spans) add_range(span->time, finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace assay::analysis
