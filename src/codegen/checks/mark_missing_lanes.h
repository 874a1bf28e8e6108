// Values that a shuffle or broadcast takes from lanes that take no part in it, in checked code.
#pragma once

#include "llvm/IR/Function.h"

namespace assay::codegen {

// What such a lane gives is undefined, but many programs compute with it and drop the result. This
// follows the values: an assay.check.condition stands where one is taken, and another one where
// something that depends on it is stored. The kernel has all functions inlined.
void mark_missing_lanes(llvm::Function& kernel);

}  // namespace assay::codegen
