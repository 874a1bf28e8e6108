// Refuses code for instructions this machine does not have, before it can crash on one.
#pragma once

#include <string_view>

#include "base/result.h"

namespace assay::device::cpu {

// `target_cpu` as in KernelImage: a processor name, then features as "+name" or "-name", separated
// by spaces. Empty means code that any machine runs.
Result<void> check_target(std::string_view target_cpu);

}  // namespace assay::device::cpu
