// See token_sequence.h.
#include "msl/token_sequence.h"

#include <clang/Basic/IdentifierTable.h>

#include <algorithm>

namespace assay::msl {

using clang::Token;
namespace tok = clang::tok;

std::string_view word_of(const Token& token) {
  if (token.isAnnotation() || token.isLiteral()) return {};
  const clang::IdentifierInfo* info = token.getIdentifierInfo();
  return info != nullptr ? std::string_view(info->getName()) : std::string_view();
}

bool is_word(const Token& token, std::string_view word) { return word_of(token) == word; }

bool is_one_of_words(const Token& token, std::span<const std::string_view> words) {
  return std::ranges::find(words, word_of(token)) != words.end();
}

bool has_name(const Token& token) { return !word_of(token).empty(); }

size_t TokenSequence::skip_group(size_t open) const {
  size_t depth = 0;
  for (size_t i = open; i < tokens_.size(); ++i) {
    if (tokens_[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) ++depth;
    if (tokens_[i].isOneOf(tok::r_paren, tok::r_square, tok::r_brace) && --depth == 0) return i + 1;
  }
  return tokens_.size() - 1;
}

std::optional<size_t> TokenSequence::skip_angles(size_t open) const {
  int depth = 0;
  for (size_t i = open; i < tokens_.size();) {
    const Token& token = tokens_[i];
    if (token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
      i = skip_group(i);
      continue;
    }
    if (token.is(tok::less)) ++depth;
    if (token.is(tok::greater)) depth -= 1;
    if (token.is(tok::greatergreater)) depth -= 2;
    if (token.isOneOf(tok::semi, tok::r_paren, tok::r_brace, tok::eof)) return std::nullopt;
    ++i;
    if (depth <= 0) return i;
  }
  return std::nullopt;
}

size_t TokenSequence::find_semicolon(size_t index) const {
  while (index < tokens_.size() && !tokens_[index].isOneOf(tok::semi, tok::eof)) {
    bool opens = tokens_[index].isOneOf(tok::l_paren, tok::l_brace, tok::l_square);
    index = opens ? skip_group(index) : index + 1;
  }
  return std::min(index, tokens_.size() - 1);
}

bool TokenSequence::is_attribute_list(size_t index) const {
  return (*this)[index].is(tok::l_square) && (*this)[index + 1].is(tok::l_square);
}

}  // namespace assay::msl
