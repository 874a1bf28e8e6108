// See gap_groups.h.
#include "analysis/report/gap_groups.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace assay::analysis {
namespace {

// A device that gets its next work within this time is not waiting for the host.
constexpr int64_t kLeastGap_ns = 5'000;
constexpr double kLeastShare = 0.1;

const TimedSpan* span_at(const RuleContext& context, int index) {
  return index < 0 ? nullptr : &context.timeline.spans[static_cast<size_t>(index)];
}

GapCause cause_of(const RuleContext& context, const Gap& gap) {
  if (gap.compile_ns > gap.time.length() / 2) return GapCause::kCompilation;
  if (gap.asking_ns() > gap.time.length() / 2) return GapCause::kAsking;
  const TimedSpan* before = span_at(context, gap.before);
  const bool is_read = before != nullptr && before->kind == trace::SpanKind::kRead;
  return is_read ? GapCause::kRead : GapCause::kProgram;
}

}  // namespace

int64_t GapGroup::usual_ns() const {
  std::vector<int64_t> lengths;
  for (const Gap* gap : gaps) lengths.push_back(gap->time.length());
  return quantile(std::move(lengths), 0.25);
}

std::vector<GapGroup> group_gaps(const RuleContext& context) {
  std::map<std::tuple<GapCause, trace::Id, trace::Id>, GapGroup> groups;
  for (const Gap& gap : context.activity.gaps) {
    if (gap.time.length() < kLeastGap_ns) continue;
    const TimedSpan* before = span_at(context, gap.before);
    const TimedSpan* after = span_at(context, gap.after);
    const GapCause cause = cause_of(context, gap);
    const trace::Id from = before != nullptr ? before->site : 0;
    const trace::Id to = after != nullptr ? after->site : 0;
    GapGroup& group = groups[{cause, from, to}];
    group.cause = cause;
    group.before = from;
    group.after = to;
    group.gaps.push_back(&gap);
    group.total_ns += gap.time.length();
  }
  std::vector<GapGroup> list;
  for (auto& [key, group] : groups) list.push_back(std::move(group));
  return list;
}

bool is_regular(const RuleContext& context, const GapGroup& group) {
  constexpr size_t kLeastGaps = 4;
  const size_t steps = context.activity.evaluations.size();
  if (group.gaps.size() < kLeastGaps || 4 * group.gaps.size() < steps) return false;
  const int64_t usual = group.usual_ns() * static_cast<int64_t>(group.gaps.size());
  return context.activity.share(usual) >= kLeastShare;
}

std::string describe_place(const RuleContext& context, const GapGroup& group) {
  const std::string before = context.timeline.text(group.before);
  const std::string after = context.timeline.text(group.after);
  if (before.empty()) return after.empty() ? "" : fmt::format(" in front of {}", after);
  return before == after || after.empty() ? fmt::format(" behind {}", before)
                                          : fmt::format(" between {} and {}", before, after);
}

void add_gaps(const GapGroup& group, Finding& finding) {
  for (const Gap* gap : group.gaps) add_range(gap->time, finding);
}

}  // namespace assay::analysis
