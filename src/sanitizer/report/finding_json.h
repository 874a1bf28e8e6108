// One finding as one line of JSON: how a checked program hands its findings to assay check, and the
// entries of a JSON report.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "base/result.h"
#include "sanitizer/report/check_report.h"

namespace assay::sanitizer {

// Without a line end. Bytes that are not UTF-8 become U+FFFD.
std::string finding_line(const Finding& finding);
// Tells that the kernel ran under the checks.
std::string kernel_line(const CheckedKernel& kernel);

using ReportLine = std::variant<Finding, CheckedKernel>;

// Reads either back. The text may come from anywhere; the error says what is wrong with it.
Result<ReportLine> parse_report_line(std::string_view line);

}  // namespace assay::sanitizer
