// The report as one JSON document, for scripts.
#pragma once

#include <string>

#include "sanitizer/report/check_report.h"

namespace assay::sanitizer {

// {"version": 1, "tool": …, "summary": …, "findings": […], …}; ends in a line end.
std::string json_report(const CheckReport& report);

}  // namespace assay::sanitizer
