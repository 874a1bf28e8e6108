// The report of a replay as people and scripts read it.
#pragma once

#include <string>

#include "cli/console.h"
#include "cli/json_text.h"
#include "replay/report.h"

namespace assay::cli {

std::string replay_text(const replay::Report& report, double tolerance, const Console& console);
Json replay_json(const replay::Report& report, double tolerance);

}  // namespace assay::cli
