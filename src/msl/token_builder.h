// Makes tokens that were not in the source; each takes the location of the user's token it stands
// for.
#pragma once

#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/Token.h>

#include <string_view>
#include <vector>

namespace assay::msl {

class TokenBuilder {
 public:
  explicit TokenBuilder(clang::Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  clang::Token identifier(std::string_view name, clang::SourceLocation location) const;
  clang::Token punctuation(clang::tok::TokenKind kind, clang::SourceLocation location) const;
  clang::Token string(std::string_view text, clang::SourceLocation location) const;
  clang::Token number(uint64_t value, clang::SourceLocation location) const;

  // Lexes `text` (no directives, no macros) into tokens that appear to be expanded at `location`.
  std::vector<clang::Token> snippet(std::string_view text, clang::SourceLocation location) const;

 private:
  clang::Token literal(clang::tok::TokenKind kind, std::string_view spelling,
                       clang::SourceLocation location) const;

  clang::Preprocessor& preprocessor_;
};

}  // namespace assay::msl
