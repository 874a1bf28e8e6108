// The conditional operator on objects of classes.
#pragma once

#include <optional>

#include "msl/token_rewriter.h"

namespace assay::msl {

// c ? p[i] : x. If p[i] is an object of a class in another address space than x, the base language
// finds no common type; arm<> makes a copy of such an object and leaves everything else as it is.
// Writes what comes in front of an arm at the rewriter's position and returns the index behind the
// arm, where a ')' is missing; nothing if the arm is no plain name of an object.
std::optional<size_t> open_conditional_arm(TokenRewriter& rewriter, bool is_left);

}  // namespace assay::msl
