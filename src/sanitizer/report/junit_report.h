// The report as JUnit XML, which build servers show as tests.
#pragma once

#include <optional>
#include <string>

#include "sanitizer/report/check_report.h"

namespace assay::sanitizer {

// A test case per finding, which fails when the finding is at least as severe as `fail_on`
// (nothing: never), and one that passes per kernel without findings.
std::string junit_report(const CheckReport& report, std::optional<Severity> fail_on);

}  // namespace assay::sanitizer
