// A list of tokens as the rewriting passes read it: words, brackets, template argument lists.
#pragma once

#include <clang/Lex/Token.h>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace assay::msl {

using Tokens = std::vector<clang::Token>;

// The spelling of names and keywords; empty for everything else.
std::string_view word_of(const clang::Token& token);
bool is_word(const clang::Token& token, std::string_view word);
bool is_one_of_words(const clang::Token& token, std::span<const std::string_view> words);
bool has_name(const clang::Token& token);

// Does not own the tokens, which must end with eof.
class TokenSequence {
 public:
  explicit TokenSequence(const Tokens& tokens) : tokens_(tokens) {}

  size_t size() const { return tokens_.size(); }
  // Beyond the end: the last token.
  const clang::Token& operator[](size_t index) const {
    return tokens_[index < tokens_.size() ? index : tokens_.size() - 1];
  }
  // In front of the first: the first.
  const clang::Token& before(size_t index) const { return (*this)[index > 0 ? index - 1 : 0]; }

  // Index behind the group that opens at `open` with ( [ or {; the last token if it never closes.
  size_t skip_group(size_t open) const;
  // Index behind the template argument list that opens at `open`; nothing if it is a comparison.
  std::optional<size_t> skip_angles(size_t open) const;
  // The next ';' outside of brackets, or the last token.
  size_t find_semicolon(size_t index) const;
  // Whether [[ stands at `index`.
  bool is_attribute_list(size_t index) const;

 private:
  const Tokens& tokens_;
};

}  // namespace assay::msl
