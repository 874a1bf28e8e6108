// See compile_groups.h.
#include "analysis/report/rules/compile_groups.h"

#include <algorithm>

namespace assay::analysis {
namespace {

void add(const TimedSpan& span, CompileGroup& group) {
  group.spans.push_back(&span);
  group.time_ns += span.time.length();
}

}  // namespace

std::vector<RebuiltKernel> find_rebuilt_kernels(const RuleContext& context) {
  constexpr size_t kLeastTimes = 4;
  std::map<std::pair<trace::Id, trace::Id>, RebuiltKernel> kernels;
  for (const TimedSpan* span : context.activity.spans) {
    if (span->kind != trace::SpanKind::kMakeKernel) continue;
    RebuiltKernel& kernel = kernels[{span->label, span->site}];
    kernel.name = context.timeline.text(span->label);
    kernel.site = span->site;
    add(*span, kernel.made);
  }
  std::vector<RebuiltKernel> rebuilt;
  for (auto& [key, kernel] : kernels) {
    if (kernel.made.spans.size() < kLeastTimes) continue;
    for (const TimedSpan* span : context.activity.spans) {
      // The name of the compiled function has that of the kernel in it.
      const bool is_its_own =
          span->kind == trace::SpanKind::kCompile && !kernel.name.empty() &&
          context.timeline.text(span->label).find(kernel.name) != std::string::npos;
      if (is_its_own) add(*span, kernel.compiled);
    }
    rebuilt.push_back(std::move(kernel));
  }
  return rebuilt;
}

std::map<trace::Id, CompileGroup> find_compilations(const RuleContext& context) {
  const std::vector<RebuiltKernel> rebuilt = find_rebuilt_kernels(context);
  std::map<trace::Id, CompileGroup> groups;
  for (const TimedSpan* span : context.activity.spans) {
    if (span->kind != trace::SpanKind::kCompile) continue;
    const bool is_explained = std::ranges::any_of(rebuilt, [&](const RebuiltKernel& kernel) {
      return std::ranges::find(kernel.compiled.spans, span) != kernel.compiled.spans.end();
    });
    if (!is_explained) add(*span, groups[span->site]);
  }
  return groups;
}

}  // namespace assay::analysis
