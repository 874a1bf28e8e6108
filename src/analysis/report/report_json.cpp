// See report_json.h.
#include "analysis/report/report_json.h"

namespace assay::analysis {
namespace {

using Json = nlohmann::json;

Json range_json(const TimeRange& range) { return Json::array({range.begin, range.end}); }

Json verdict_json(const Verdict& verdict) {
  Json phases = Json::array();
  for (const Phase& phase : verdict.phases) {
    phases.push_back(
        {{"name", phase.name}, {"begin", phase.range.begin}, {"end", phase.range.end}});
  }
  return {{"bound", bound_name(verdict.bound)},   {"text", verdict.text},
          {"busy_share", verdict.busy_share},     {"idle_ns", verdict.idle_ns},
          {"window", range_json(verdict.window)}, {"phases", std::move(phases)}};
}

Json finding_json(const Finding& finding) {
  Json evidence = Json::array(), ranges = Json::array();
  for (const Evidence& each : finding.evidence) {
    evidence.push_back({{"name", each.name}, {"value", each.value}});
  }
  for (const TimeRange& range : finding.ranges) ranges.push_back(range_json(range));
  return {{"rule", finding.rule},
          {"severity", severity_name(finding.severity)},
          {"title", finding.title},
          {"detail", finding.detail},
          {"evidence", std::move(evidence)},
          {"site", finding.site},
          {"commands", finding.commands},
          {"kernels", finding.kernels},
          {"ranges", std::move(ranges)},
          {"advice", finding.advice},
          {"gain_ns", finding.gain_ns},
          {"gain_share", finding.gain_share}};
}

Json kernel_json(const KernelRate& kernel) {
  return {{"kernel", kernel.kernel},
          {"name", kernel.name},
          {"dispatches", kernel.dispatches},
          {"total_ns", kernel.total_ns},
          {"bytes", kernel.bytes},
          {"bandwidth", kernel.bandwidth},
          {"peak_share", kernel.peak_share ? Json(*kernel.peak_share) : Json()}};
}

}  // namespace

const char* severity_name(Severity severity) {
  switch (severity) {
    case Severity::kLow: return "low";
    case Severity::kMedium: return "medium";
    case Severity::kHigh: return "high";
  }
  return "";
}

const char* bound_name(Bound bound) {
  switch (bound) {
    case Bound::kDevice: return "device";
    case Bound::kHost: return "host";
    case Bound::kMixed: return "mixed";
    case Bound::kTooShort: return "too_short";
  }
  return "";
}

nlohmann::json kernel_finding_json(const KernelFinding& finding) {
  return {{"command", finding.command != 0 ? Json(finding.command) : Json()},
          {"rule", finding.rule},
          {"severity", severity_name(finding.severity)},
          {"kernel", finding.kernel},
          {"file", finding.file},
          {"line", finding.line},
          {"character", finding.character},
          {"message", finding.message},
          {"fix", finding.fix},
          {"site", finding.site},
          {"occurrences", finding.occurrences}};
}

nlohmann::json report_json(const Report& report) {
  Json findings = Json::array(), kernels = Json::array(), checks = Json::array();
  for (const KernelFinding& finding : report.checks) {
    checks.push_back(kernel_finding_json(finding));
  }
  for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
  for (const KernelRate& kernel : report.kernels) kernels.push_back(kernel_json(kernel));
  return {{"verdict", verdict_json(report.verdict)},
          {"checks", std::move(checks)},
          {"findings", std::move(findings)},
          {"kernels", std::move(kernels)}};
}

}  // namespace assay::analysis
