// After a launch, every element of its results must have a value.
#pragma once

#include <optional>

#include "sanitizer/finding.h"
#include "sanitizer/launch_checker.h"

namespace assay::sanitizer {

// One finding per result that has elements without a value.
std::vector<Finding> find_unwritten(const LaunchChecker& launch);

}  // namespace assay::sanitizer
