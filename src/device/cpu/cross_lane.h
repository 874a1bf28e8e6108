// The arithmetic of simdgroup operations: what each lane gets from the lanes that are active with
// it. The order of every float operation is fixed, so that all executors give the same bits.
#pragma once

#include <cstdint>

#include "kernel/cpu_abi.h"

namespace assay::device::cpu {

// The lanes of one simdgroup that execute an operation together: bit i of `active` stands for
// states[i], which is not touched when the bit is clear.
struct LaneGroup {
  kernel::ThreadState* states = nullptr;
  uint32_t active = 0;
};

// Executes the operation at which the active lanes are suspended: reads their operands, writes
// their results. All active lanes are at the same operation; kReconverge does nothing.
void execute_cross_lane(const LaneGroup& lanes);

}  // namespace assay::device::cpu
