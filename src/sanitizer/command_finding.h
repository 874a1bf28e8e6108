// What every finding of a command begins with.
#pragma once

#include <string_view>

#include "kernel/description.h"
#include "sanitizer/finding.h"

namespace assay::sanitizer {

// `rule` must be one of rules(). The place is that of the kernel, if the command has one.
Finding begin_finding(std::string_view rule, const kernel::CommandDescription& command);

}  // namespace assay::sanitizer
