// The functions of this process that generated code may call.
#pragma once

#include <string_view>

namespace assay::device::cpu {

// Null when the name is not on the list.
const void* find_runtime_symbol(std::string_view name);

}  // namespace assay::device::cpu
