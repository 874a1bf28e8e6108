// A report as JSON, for scripts and the viewer.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/report/report.h"

namespace assay::analysis {

nlohmann::json kernel_finding_json(const KernelFinding& finding);

// {"verdict": {bound, text, busy_share, idle_ns, window, phases}, "findings": […], "kernels": […]};
// times are nanoseconds of the trace, ids those of its rows.
nlohmann::json report_json(const Report& report);

const char* severity_name(Severity severity);
const char* bound_name(Bound bound);

}  // namespace assay::analysis
