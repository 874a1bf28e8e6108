// The math functions of our Metal headers, compiled as C++.
#pragma once

#include <string>

#include "msl/math_ulp/measure.h"

namespace assay::msl::math_ulp {

// The function that a case names; empty if there is none.
Function find_native_function(const std::string& variant, const std::string& name);

}  // namespace assay::msl::math_ulp
