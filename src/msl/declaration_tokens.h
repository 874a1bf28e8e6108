// Finds declarations of variables in threadgroup and constant memory.
#pragma once

#include <optional>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

struct Declarator {
  size_t begin = 0;  // the name, or the '(' in front of it
  size_t name = 0;
  size_t dimensions = 0;  // follow the name and its ')'
  size_t end = 0;         // of the dimensions
};

// `specifiers T name[dims], name2;` at the start of a statement. Indices into the sequence.
struct Declaration {
  bool is_threadgroup = false;
  bool is_constant = false;
  bool has_static = false;
  bool has_extern = false;
  bool has_function_constant = false;  // the attribute
  std::optional<size_t> alignment;     // the '(' in front of the number of bytes
  size_t type_begin = 0;
  std::vector<Declarator> declarators;
  std::optional<size_t> initialiser;  // '=' or '{'
  size_t end = 0;                     // ';'
};

// Nothing unless the statement at `index` declares variables (not pointers, references or
// functions) in threadgroup or constant memory.
std::optional<Declaration> parse_declaration(const TokenSequence& tokens, size_t index);

}  // namespace assay::msl
