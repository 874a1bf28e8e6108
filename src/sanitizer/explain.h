// Raw findings in words: what happened, to which element, where, and what to change.
#pragma once

#include "sanitizer/finding.h"
#include "sanitizer/launch_checker.h"

namespace assay::sanitizer {

std::vector<Finding> explain(const LaunchChecker& launch);

}  // namespace assay::sanitizer
