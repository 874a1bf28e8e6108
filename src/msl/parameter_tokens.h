// Splits a parameter list into its parameters and finds their names.
#pragma once

#include <optional>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

struct ParameterTokens {
  size_t begin = 0;
  size_t end = 0;              // without the default argument
  std::optional<size_t> name;  // nothing if it has none
  bool is_pack = false;
  bool is_rvalue_reference = false;
};

// The parameters between '(' at `open` and its ')'.
std::vector<ParameterTokens> parse_parameters(const TokenSequence& tokens, size_t open);

}  // namespace assay::msl
