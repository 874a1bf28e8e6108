// Functions of Apple's intermediate representation, which a source can declare under a name of its
// own: `float sum(float) __asm("air.simd_sum.f32");`. The declaration gets a body that calls the
// same function of the library (metal_air.h), or, where there is none, says so to who calls it.
#pragma once

#include "msl/token_rewriter.h"

namespace assay::msl {

// Rewrites the declaration whose parameter list opens at the rewriter's position; false if it is
// none of these.
bool rewrite_air_function(TokenRewriter& rewriter);

}  // namespace assay::msl
