// Finds the members of a class among its tokens: which of them are methods, constructors or fields,
// and where their parts are. Works after the token pass: address spaces are in the base language's
// words.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

enum class MemberKind { kOther, kField, kMethod, kConstructor };

// Indices into the sequence. Static methods, friends, types and destructors are kOther.
struct Member {
  size_t begin = 0;
  size_t end = 0;  // behind its ';' or '}'
  MemberKind kind = MemberKind::kOther;
  bool is_constexpr = false;
  bool is_const = false;      // `const` behind the parameter list
  std::string_view name;      // of a field or a method; an operator's is its first token
  size_t name_at = 0;         // of methods and constructors
  size_t parameters_end = 0;  // of methods and constructors: behind the ')'
  // The address space behind the parameter list.
  std::optional<size_t> qualifier;
  // Of a constructor: the ':', of a field: the '=' or '{'.
  std::optional<size_t> initialiser;
  std::optional<size_t> body;  // its '{'
  // Of a field or type definition `T (*name)(…)`: where the name stands and the declarator ends.
  std::optional<size_t> function_pointer;
  size_t declarator_end = 0;
};

struct ClassTokens {
  std::string_view name;
  size_t body = 0;  // its '{'
  size_t end = 0;   // its '}'
  std::vector<std::string_view> bases;
  std::vector<Member> members;
};

// The class whose definition starts at `index` with struct, class or union; nothing for
// declarations, variables and template parameters.
std::optional<ClassTokens> parse_class(const TokenSequence& tokens, size_t index);

}  // namespace assay::msl
