// Finds the declarations of a source, outside of functions and classes, among its tokens.
#pragma once

#include <string_view>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

// Indices of tokens. A function ends behind its body, everything else behind its ';'.
struct ProgramScopeDeclaration {
  size_t begin = 0;
  size_t end = 0;
};

// In order. Those of namespaces and of extern "C" are listed, too; the braces around them are not.
std::vector<ProgramScopeDeclaration> list_declarations(const TokenSequence& in);

// What it declares: a function, class, variable or type. Empty for what has no name.
std::string_view declared_name(const TokenSequence& in, const ProgramScopeDeclaration& declaration);

// A kernel, its template or an instantiation of one.
bool declares_kernel(const TokenSequence& in, const ProgramScopeDeclaration& declaration);

// `template <typename T> …`, but no specialisation: nothing runs without further declarations.
bool is_template(const TokenSequence& in, const ProgramScopeDeclaration& declaration);

}  // namespace assay::msl
