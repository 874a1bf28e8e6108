// Any text as a line of findings: an error or a finding, which survives writing and reading and can
// be told in every form.
#include "base/ensure.h"
#include "sanitizer/report/finding_json.h"
#include "sanitizer/report/json_report.h"
#include "sanitizer/report/junit_report.h"
#include "sanitizer/report/sarif_report.h"
#include "sanitizer/report/text_report.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::sanitizer;
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const assay::Result<ReportLine> parsed = parse_report_line(line);
  if (!parsed) return 0;
  CheckReport report;
  if (const auto* kernel = std::get_if<CheckedKernel>(&*parsed)) {
    report.kernels.push_back(*kernel);
  } else {
    const auto& finding = std::get<Finding>(*parsed);
    const std::string written = finding_line(finding);
    const assay::Result<ReportLine> again = parse_report_line(written);
    ASSAY_ENSURE(again.ok(), "a written finding cannot be read");
    ASSAY_ENSURE(finding_line(std::get<Finding>(*again)) == written,
                 "a written finding reads differently");
    report.findings.push_back(finding);
  }
  ASSAY_ENSURE(!text_report(report).empty() && !json_report(report).empty() &&
                   !sarif_report(report, {"/work"}).empty() &&
                   !junit_report(report, Severity::kNote).empty(),
               "a report is empty");
  return 0;
}
