// MSL's attributes: [[buffer(0)]] and the like become annotations that the reflection reads.
#pragma once

#include "msl/token_rewriter.h"

namespace assay::msl {

// function_constant(0) makes a function constant; on a parameter or a member,
// function_constant(name) names the one that decides whether it exists.
enum class AttributeOwner { kFunctionConstant, kOther };

// Rewrites the attribute list at the rewriter's position.
void rewrite_attributes(TokenRewriter& rewriter, AttributeOwner owner);

}  // namespace assay::msl
