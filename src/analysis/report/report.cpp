// See report.h.
#include "analysis/report/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/report/rule.h"

namespace assay::analysis {
namespace {

// A share of the window in which the device works.
constexpr double kDeviceBound = 0.85, kHostBound = 0.5;
constexpr size_t kLeastEvaluations = 3;
constexpr int64_t kLeastWindow_ns = 1'000'000;
// Fewer bytes in a kernel say nothing about bandwidth.
constexpr int64_t kLeastBytesForRate = 1 << 20;

std::vector<KernelRate> find_kernels(const Timeline& timeline) {
  const std::optional<double> peak = timeline.measurement("peak_bandwidth");
  std::map<std::pair<trace::Id, std::string>, KernelRate> kernels;
  for (const TimedCommand& command : timeline.commands) {
    const trace::Id id = command.kind == trace::CommandKind::kDispatch ? command.kernel : 0;
    KernelRate& kernel = kernels[{id, timeline.name_of(command)}];
    kernel.kernel = id;
    kernel.name = timeline.name_of(command);
    ++kernel.dispatches;
    kernel.total_ns += command.time.length();
    kernel.bytes += command.bytes();
  }
  std::vector<KernelRate> list;
  for (auto& [key, kernel] : kernels) {
    if (kernel.total_ns > 0) {
      kernel.bandwidth =
          static_cast<double>(kernel.bytes) / static_cast<double>(kernel.total_ns) * 1e9;
    }
    const bool is_known = peak && kernel.bytes > 0 && kernel.total_ns > 0;
    if (is_known) kernel.peak_share = kernel.bandwidth / *peak;
    list.push_back(std::move(kernel));
  }
  std::ranges::stable_sort(list, std::greater<>(), &KernelRate::total_ns);
  return list;
}

std::string phase_text(const Activity& activity) {
  std::string text;
  for (const Phase& phase : activity.phases) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", phase.name,
                        duration(phase.range.length()));
  }
  return text;
}

Verdict judge(const Timeline& timeline, const Activity& activity) {
  Verdict verdict{.busy_share = activity.share(activity.busy_ns),
                  .idle_ns = activity.idle_ns(),
                  .window = activity.window,
                  .phases = activity.phases};
  if (timeline.commands.empty()) {
    verdict.text = "There is nothing to judge: the trace has no commands.";
    return verdict;
  }
  if (activity.evaluations.size() < kLeastEvaluations ||
      activity.window.length() < kLeastWindow_ns) {
    verdict.text = fmt::format(
        "Too short to judge: {} evaluations in {} after warm-up; record at least {} of them ({}).",
        activity.evaluations.size(), duration(activity.window.length()), kLeastEvaluations,
        phase_text(activity));
    return verdict;
  }
  verdict.bound = verdict.busy_share >= kDeviceBound ? Bound::kDevice
                  : verdict.busy_share <= kHostBound ? Bound::kHost
                                                     : Bound::kMixed;
  const char* what = verdict.bound == Bound::kDevice ? "Device-bound"
                     : verdict.bound == Bound::kHost ? "Host-bound"
                                                     : "Neither alone is the limit";
  verdict.text = fmt::format(
      "{}: the device was busy {} of the {} from the end of warm-up to the last command, and idle "
      "for {} ({}).",
      what, percent(verdict.busy_share), duration(activity.window.length()),
      duration(verdict.idle_ns), phase_text(activity));
  return verdict;
}

RuleContext make_context(const Timeline& timeline, const Activity& activity,
                         const std::vector<Chain>& chains, const std::vector<KernelRate>& kernels) {
  RuleContext context{timeline, activity, chains, kernels};
  const std::optional<double> peak = timeline.measurement("peak_bandwidth");
  context.is_bandwidth_measured = peak.has_value();
  context.bandwidth = peak.value_or(0);
  if (peak) return context;
  for (const KernelRate& kernel : kernels) {
    if (kernel.bytes >= kLeastBytesForRate * kernel.dispatches) {
      context.bandwidth = std::max(context.bandwidth, kernel.bandwidth);
    }
  }
  return context;
}

}  // namespace

Result<Report> make_report(const trace::Document& document) {
  const Result<Timeline> timeline = load_timeline(document);
  if (!timeline) return timeline.error();
  const Activity activity = find_activity(*timeline);
  Result<std::vector<KernelFinding>> checks = load_kernel_findings(document);
  if (!checks) return checks.error();
  Report report{.verdict = judge(*timeline, activity),
                .checks = std::move(*checks),
                .findings = {},
                .kernels = find_kernels(*timeline)};
  if (report.verdict.bound == Bound::kTooShort) return report;
  const std::vector<Chain> chains = find_chains(*timeline, activity);
  const RuleContext context = make_context(*timeline, activity, chains, report.kernels);
  for (const Rule& rule : report_rules()) rule.look(context, report.findings);
  std::ranges::stable_sort(report.findings, [](const Finding& a, const Finding& b) {
    if (a.severity != b.severity) return a.severity > b.severity;
    return a.gain_ns > b.gain_ns;
  });
  return report;
}

}  // namespace assay::analysis
