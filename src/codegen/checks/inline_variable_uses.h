// Shows what other functions do with a thread's variables.
#pragma once

#include "llvm/IR/Function.h"

namespace assay::codegen {

// Inlines the calls of the user's functions that are given the address of one of the user's
// variables while parts of it may have no value yet: `add(total, x)`, `list.append(x)`.
// Constructors and functions of the standard library are left alone: they give values. Pointers and
// references to one variable become that variable's address. Callees must be done before.
void inline_variable_uses(llvm::Function& function);

}  // namespace assay::codegen
