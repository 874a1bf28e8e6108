// See variable_types.h.
#include "msl/variable_types.h"

#include <string>

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

constexpr std::string_view kSpecifiers[] = {"static", "const", "volatile", "threadgroup"};
constexpr std::string_view kRecords[] = {"struct", "class", "union"};

struct VariableWithType {
  size_t record = 0;  // the word `struct`
  size_t body = 0;    // its '{'
  size_t end = 0;     // behind its '}'
  bool has_name = false;
};

// What the specifiers at `begin` lead to; nothing unless a variable in threadgroup memory is
// declared together with its type.
std::optional<VariableWithType> find_type(const TokenSequence& in, size_t begin) {
  VariableWithType found;
  bool is_threadgroup = false;
  size_t i = begin;
  for (; is_one_of_words(in[i], kSpecifiers); ++i) is_threadgroup |= is_word(in[i], "threadgroup");
  if (!is_threadgroup || !is_one_of_words(in[i], kRecords)) return std::nullopt;
  found.record = i++;
  while (!in[i].is(tok::l_brace)) {
    if (in[i].isOneOf(tok::l_paren, tok::l_square)) {
      i = in.skip_group(i);
    } else if (has_name(in[i])) {
      found.has_name |= in[i].is(tok::identifier) && !in[i + 1].is(tok::l_paren);
      ++i;
    } else {
      return std::nullopt;
    }
  }
  found.body = i;
  found.end = in.skip_group(i);
  const bool declares = in[found.end].isOneOf(tok::identifier, tok::l_paren);
  return declares ? std::optional(found) : std::nullopt;
}

}  // namespace

Tokens separate_variable_types(const Tokens& tokens, const TokenBuilder& make) {
  const TokenSequence in(tokens);
  Tokens out;
  out.reserve(tokens.size());
  size_t unnamed = 0;
  for (size_t i = 0; i < tokens.size();) {
    std::optional<VariableWithType> type;
    if (is_one_of_words(in[i], kSpecifiers)) type = find_type(in, i);
    if (!type) {
      out.push_back(in[i++]);
      continue;
    }
    size_t name_at = type->record + 1;
    while (type->has_name && !in[name_at].is(tok::identifier)) ++name_at;
    const Token name = type->has_name ? in[name_at]
                                      : make.identifier(kUnnamedPrefix + std::to_string(unnamed++),
                                                        in[type->record].getLocation());
    for (size_t j = type->record; j < type->body; ++j) out.push_back(in[j]);
    if (!type->has_name) out.push_back(name);
    for (size_t j = type->body; j < type->end; ++j) out.push_back(in[j]);
    out.push_back(make.punctuation(tok::semi, in[type->end - 1].getLocation()));
    for (; i < type->record; ++i) out.push_back(in[i]);
    out.push_back(name);
    i = type->end;
  }
  return out;
}

}  // namespace assay::msl
