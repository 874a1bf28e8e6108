// Lists in braces for parameters of type `const thread T&`: `f({1, 2})`. Metal makes a T in thread
// memory; clang makes it outside of every address space and refuses the call. The first run
// collects the places and types, the next one names the type there.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <string>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

struct RefusedBraces {
  clang::SourceLocation brace;
  std::string type;
};

// The same as the index of a token of the preprocessed source.
struct BracedTemporary {
  size_t brace = 0;
  std::string type;
};

// What a diagnostic says, if it refuses such a list.
std::optional<RefusedBraces> find_refused_braces(const clang::Diagnostic& diagnostic);

// Finds the places among the source's tokens; leaves out those in headers that are not among them.
std::vector<BracedTemporary> locate_braces(const std::vector<RefusedBraces>& refused,
                                           const Tokens& tokens);

}  // namespace assay::msl
