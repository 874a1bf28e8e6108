// What findings of a command have in common.
#pragma once

#include <string>
#include <string_view>

#include "kernel/description.h"
#include "sanitizer/finding.h"

namespace assay::sanitizer {

// `rule` must be one of rules(). The place is that of the kernel, if the command has one.
Finding begin_finding(std::string_view rule, const kernel::CommandDescription& command);

// Of the buffer at a slot, as the kernel calls it; empty where there is none.
std::string argument_name(const kernel::CommandDescription& command, uint32_t slot);

}  // namespace assay::sanitizer
