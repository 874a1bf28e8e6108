// What the code of kernels that print calls, and their messages as text.
#pragma once

#include <cstdint>

#include "kernel/cpu_abi.h"
#include "kernel/print.h"

namespace assay::device::cpu {

void print(const kernel::GroupContext* context, uint32_t thread, const char* format, uint32_t count,
           uint64_t types, const uint64_t* words);

}  // namespace assay::device::cpu
