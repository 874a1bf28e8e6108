// A custom kernel object that is made again in every step.
#include <fmt/format.h>

#include "analysis/report/rules/compile_groups.h"
#include "analysis/report/rules/rules.h"

namespace assay::analysis {

void look_for_rebuilt_kernels(const RuleContext& context, std::vector<Finding>& findings) {
  for (const RebuiltKernel& kernel : find_rebuilt_kernels(context)) {
    const size_t times = kernel.made.spans.size();
    Finding finding{.rule = "kernel-rebuilt"};
    set_gain(context.activity, kernel.made.time_ns + kernel.compiled.time_ns, finding);
    finding.title = fmt::format("The kernel object '{}' is made {} times", kernel.name, times);
    finding.detail = fmt::format("mx.fast.metal_kernel is called {} times for '{}' at one line",
                                 times, kernel.name);
    finding.detail +=
        kernel.compiled.spans.empty()
            ? "; its text is always the same, so that it is compiled once, but every object is "
              "checked and hashed anew."
            : fmt::format("; its text changes, so that it was compiled {} times, {} in all.",
                          kernel.compiled.spans.size(), duration(kernel.compiled.time_ns));
    finding.evidence = {{"objects", fmt::format("{}", times)},
                        {"compilations", fmt::format("{}", kernel.compiled.spans.size())},
                        {"time", duration(finding.gain_ns)}};
    finding.site = context.timeline.text(kernel.site);
    finding.advice =
        "make the kernel object once, outside of the loop, and give what changes as an input or a "
        "template argument";
    for (const TimedSpan* span : kernel.made.spans) add_range(span->time, finding);
    findings.push_back(std::move(finding));
  }
}

}  // namespace assay::analysis
