// Measurements as a Markdown table.
#pragma once

#include <string>

#include "msl/math_ulp/cases.h"
#include "msl/math_ulp/measure.h"

namespace assay::msl::math_ulp {

std::string table_header();
// One line, with line break.
std::string table_row(const Case& measured_case, const Measurement& measurement);

}  // namespace assay::msl::math_ulp
