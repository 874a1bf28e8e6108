// Pass of checked builds: watches uses of what a thread's variables hold before they have values.
#pragma once

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen {

// `float4 total; for (…) total += x[i];` starts from whatever was there. Each variable that may be
// read before all of it is written holds marks at first (unset_marks.h), which follow the values
// through copies, calls and lanes (unset_flow.h) to where they are used (tell_unset_uses.h). To
// copy something is no use of it, nor is what nobody looks at. Needs the variables and types that
// clang wrote; leaves a kernel with marks without calls of other functions. Variables whose address
// is kept somewhere, and parts of unions, are left alone: nothing is told of what has a value.
Result<void> mark_unset_variables(KernelBuild& build);

// Metadata of the reported condition: the variable's name.
inline constexpr char kVariableMetadata[] = "assay.variable";
// Metadata of loads and stores of flags, which need no checks themselves.
inline constexpr char kFlagMetadata[] = "assay.flag";

}  // namespace assay::codegen
