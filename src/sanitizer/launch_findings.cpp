// See launch_findings.h.
#include "sanitizer/launch_findings.h"

#include <algorithm>

#include "sanitizer/checks/outputs.h"
#include "sanitizer/explain.h"

namespace assay::sanitizer {
namespace {

// A kernel that computes with what it should not have read makes NaN of it.
void drop_consequences(std::vector<Finding>& findings) {
  const bool reads_garbage = std::ranges::any_of(findings, [](const Finding& finding) {
    const bool is_race = finding.rule.starts_with("race-") && finding.severity == Severity::kError;
    return is_race || finding.rule == "bounds-read" || finding.rule.starts_with("uninitialised-");
  });
  if (reads_garbage) {
    std::erase_if(findings, [](const Finding& finding) { return finding.rule == "not-finite"; });
  }
}

}  // namespace

std::vector<Finding> list_findings(const LaunchChecker& launch) {
  std::vector<Finding> findings = explain(launch);
  drop_consequences(findings);
  // Where a write went astray, the element it was meant for is missing.
  const bool writes_outside = std::ranges::any_of(
      findings, [](const Finding& finding) { return finding.rule == "bounds-write"; });
  if (launch.state().checks.has(Check::kUnwritten) && !writes_outside) {
    for (Finding& finding : find_unwritten(launch)) findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace assay::sanitizer
