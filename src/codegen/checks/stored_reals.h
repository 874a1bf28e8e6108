// Numbers on their way to memory: NaN, and infinities that the program did not write down itself.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// i1: `real` is NaN, or infinity but not a constant that it may be chosen from. What is
// needed goes in front of the builder's place, and behind the choices.
llvm::Value* emit_is_not_finite_unmeant(llvm::IRBuilder<>& builder, llvm::Value* real);

}  // namespace assay::codegen
