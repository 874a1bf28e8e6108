// Metal's rule for methods: `this` of an unqualified method points to thread memory. The base
// language would make it generic, and then no member could be passed on as `thread T&`.
#pragma once

#include <clang/Lex/Token.h>

#include <vector>

namespace assay::msl {

class TokenBuilder;

// Inserts the qualifier into every non-static method of the classes in `tokens` that has none.
// Constructors keep the generic one, which clang needs to make temporaries.
std::vector<clang::Token> qualify_methods(const std::vector<clang::Token>& tokens,
                                          const TokenBuilder& make);

}  // namespace assay::msl
