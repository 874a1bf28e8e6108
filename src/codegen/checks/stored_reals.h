// Numbers on their way to memory: which NaN and infinities the program did not write down itself.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// i1: `real` is NaN or infinity, and not one of the constants that it may be chosen from. What is
// needed goes in front of the builder's place, and behind the choices.
llvm::Value* emit_is_not_finite_unmeant(llvm::IRBuilder<>& builder, llvm::Value* real);

}  // namespace assay::codegen
