// Gives the library's function constants the host's values.
#pragma once

#include <optional>

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// Turns the external globals of function constants into constants. One without a value is zero when
// the source asks is_function_constant_defined() about it, and otherwise stays external: its uses
// may still vanish.
Result<void> specialise_constants(KernelBuild& build);

// Runs after simplification: an error for a constant that has no value and is still used.
Result<void> require_constants(KernelBuild& build);

// The value the host gave for `constant`, or null.
const ConstantValue* find_value(const KernelBuild& build, const kernel::FunctionConstant& constant);

// "function constant 'name' (index n, type t) has no value; …"
Error missing_constant(const KernelBuild& build, const kernel::FunctionConstant& constant);

}  // namespace assay::codegen
