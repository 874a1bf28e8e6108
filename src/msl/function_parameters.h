// Template parameters that are functions: `template <typename T, T (*F)(T, T)>`. The token pass
// makes them references, which the base language takes; but static methods have an address space
// there that makes them another type, and `&f` is no reference. The first run collects the
// parameters that were given such arguments, the next one makes them `auto`.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <string>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

struct RefusedFunction {
  clang::SourceLocation place;  // of a function template's name, or of an argument of a class
  std::string parameter;        // its name; empty at an argument
};

// Indices of tokens of the preprocessed source.
struct FunctionParameter {
  size_t begin = 0;
  size_t name = 0;
  size_t end = 0;  // behind the declaration: the ',', '=' or '>'
};

// What a diagnostic says, if it refuses such an argument.
std::optional<RefusedFunction> find_refused_function(const clang::Diagnostic& diagnostic);

// Finds the parameters among the source's tokens; leaves out those in headers that are not among
// them.
std::vector<FunctionParameter> locate_function_parameters(
    const std::vector<RefusedFunction>& refused, const Tokens& tokens);

}  // namespace assay::msl
