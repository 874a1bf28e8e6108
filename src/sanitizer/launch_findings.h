// Everything that was found in one launch, ready to be told.
#pragma once

#include <vector>

#include "sanitizer/finding.h"
#include "sanitizer/launch_checker.h"

namespace assay::sanitizer {

// After the launch. One mistake is one finding: what only follows from another is left out.
std::vector<Finding> list_findings(const LaunchChecker& launch);

}  // namespace assay::sanitizer
