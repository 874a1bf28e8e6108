// See json_report.h.
#include "sanitizer/report/json_report.h"

#include "assay/version.h"
#include "sanitizer/report/finding_fields.h"

namespace assay::sanitizer {

std::string json_report(const CheckReport& report) {
  constexpr int kVersion = 1;
  Json findings = Json::array(), kernels = Json::array();
  for (const Finding& finding : report.findings) findings.push_back(finding_fields(finding));
  for (const CheckedKernel& kernel : report.kernels) {
    kernels.push_back({{"name", kernel.name}, {"dispatches", kernel.dispatches}});
  }
  const Json json = {{"version", kVersion},
                     {"tool", {{"name", "assay check"}, {"version", version()}}},
                     {"summary",
                      {{"errors", report.count(Severity::kError)},
                       {"warnings", report.count(Severity::kWarning)},
                       {"notes", report.count(Severity::kNote)},
                       {"suppressed", report.suppressed},
                       {"left_out", report.left_out},
                       {"kernels", report.kernels.size()},
                       {"dispatches", report.dispatches()}}},
                     {"findings", std::move(findings)},
                     {"kernels", std::move(kernels)},
                     {"unused_suppressions", report.unused_suppressions},
                     {"warnings", report.warnings}};
  return json_text(json, 2) + '\n';
}

}  // namespace assay::sanitizer
