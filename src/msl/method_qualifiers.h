// Metal's rule for methods: `this` of an unqualified method points to thread memory. The base
// language would make it generic, and then no member could be passed on as `thread T&`.
#pragma once

#include "msl/token_sequence.h"

namespace assay::msl {

class TokenBuilder;

// Gives every non-static method of the classes in `tokens` that has none the qualifier of thread
// memory. Constructors keep the generic one, which clang needs to make temporaries; what they do
// with their object goes through a pointer to thread memory.
Tokens qualify_methods(const Tokens& tokens, const TokenBuilder& make);

}  // namespace assay::msl
