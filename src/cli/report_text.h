// A report as people read it.
#pragma once

#include <string>

#include "analysis/report/report.h"
#include "cli/console.h"

namespace assay::cli {

// The verdict, the findings with their lines and advice, and the kernels that take the most time.
std::string report_text(const analysis::Report& report, const Console& console);

}  // namespace assay::cli
