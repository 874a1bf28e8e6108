// Explicit conversions between half and bfloat. Metal has them, clang refuses them: the first run
// collects the places, the next one converts by way of float there. Implicit conversions do not
// exist in Metal either, and overloads are chosen accordingly, so that no type could be made up for
// it.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <optional>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

// Indices of tokens of the preprocessed source.
struct HalfCast {
  size_t cast = 0;  // the first token: the type, a '(' or static_cast
  size_t operand = 0;
  size_t operand_last = 0;
};

// The same as places in the source.
struct RefusedHalfCast {
  clang::SourceLocation cast;
  clang::SourceLocation operand;
  clang::SourceLocation operand_last;
};

// What a diagnostic says, if it refuses such a conversion.
std::optional<RefusedHalfCast> find_refused_half_cast(const clang::Diagnostic& diagnostic);

// Finds the places among the source's tokens; leaves out those in headers that are not among them.
std::vector<HalfCast> locate_half_casts(const std::vector<RefusedHalfCast>& refused,
                                        const Tokens& tokens);

}  // namespace assay::msl
