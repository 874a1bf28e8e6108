// `threadgroup struct { … } s;` declares a type together with a variable. The variable becomes a
// reference with the type's name in it, so the type is declared first, with a name of its own if it
// has none: `struct Unnamed { … }; threadgroup Unnamed s;`.
#pragma once

#include "msl/token_builder.h"
#include "msl/token_sequence.h"

namespace assay::msl {

// Prefix of the names of types that have none.
inline constexpr char kUnnamedPrefix[] = "__assay_unnamed_";

Tokens separate_variable_types(const Tokens& tokens, const TokenBuilder& make);

}  // namespace assay::msl
