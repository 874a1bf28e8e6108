// Checks where a kernel uses what variables hold before they have values.
#pragma once

#include "codegen/kernel_build.h"

namespace assay::codegen {

// What counts as use: arithmetic and comparisons, branches, addresses, and stores to memory that
// others see, if anything comes of them. Structs may go to threadgroup memory with members that
// nobody set; what device memory gets is a result. Told at the first read that the user wrote, or
// where the library's function is called. The kernel must be flat.
void tell_unset_uses(KernelBuild& build);

}  // namespace assay::codegen
