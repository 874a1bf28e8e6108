// Indices that are computed in fewer bits than they need.
#pragma once

#include <vector>

#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// The numbers of 32 bits or fewer that a pointer's indices widen, and that come from a product:
// sums that wrap lead far away, where bounds catch them, but a product can wrap to any place.
std::vector<llvm::CastInst*> find_widened_products(llvm::Value* pointer);

struct ExactIndex {
  llvm::Value* has_wrapped;  // i1: the number is not what its arithmetic gives without a limit
  llvm::Value* number;       // i64: what it gives of operands with a sign
};

// Operands may be taken as signed or unsigned; either fits. Emitted before `before`.
ExactIndex emit_exact_index(llvm::CastInst& widened, llvm::Instruction* before);

}  // namespace assay::codegen
