// Pass of checked builds: watches reads of a thread's variables that have no value yet.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// `float total; for (…) total += x[i];` starts from whatever was there. Each variable that may be
// read before it is written gets flags beside it, one for each of its smallest parts, which writes
// set and reads look at. Needs the variables and types that clang wrote. Variables whose address is
// kept somewhere are left alone, and functions that are given an address count as writing unless
// they could be inlined (inline_variable_uses.h): nothing is told of what has a value.
Result<void> mark_unset_variables(KernelBuild& build);

// Metadata of the reported condition: the variable's name.
inline constexpr char kVariableMetadata[] = "assay.variable";
// Metadata of loads and stores of the flags, which need no checks themselves.
inline constexpr char kFlagMetadata[] = "assay.flag";

}  // namespace assay::codegen
