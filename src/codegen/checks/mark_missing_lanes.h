// Values that a shuffle or broadcast takes from lanes that take no part in it, in checked code.
#pragma once

#include "llvm/IR/Function.h"

namespace assay::codegen {

// The last word of a condition about the number of a lane as it was written; otherwise 0.
inline constexpr uint64_t kLaneAsWritten = 1;

// What such a lane gives is undefined, but many programs compute with it and drop the result. This
// follows the values: an assay.check.condition stands where one is taken, and another one where
// something that depends on it is stored. The kernel has all functions inlined.
void mark_missing_lanes(llvm::Function& kernel);

}  // namespace assay::codegen
