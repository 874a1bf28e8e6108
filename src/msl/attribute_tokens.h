// MSL's attributes: [[buffer(0)]] and the like become annotations that the reflection reads.
#pragma once

#include "msl/token_rewriter.h"

namespace assay::msl {

// Rewrites the attribute list at the rewriter's position.
void rewrite_attributes(TokenRewriter& rewriter);

}  // namespace assay::msl
