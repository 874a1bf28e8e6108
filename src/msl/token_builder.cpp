// See token_builder.h.
#include "msl/token_builder.h"

#include <clang/Lex/Lexer.h>

#include <string>

namespace assay::msl {
namespace {

clang::Token token_at(clang::tok::TokenKind kind, clang::SourceLocation location, size_t length) {
  clang::Token token;
  token.startToken();
  token.setKind(kind);
  token.setLocation(location);
  token.setLength(static_cast<unsigned>(length));
  token.setFlag(clang::Token::LeadingSpace);
  return token;
}

}  // namespace

clang::Token TokenBuilder::identifier(std::string_view name, clang::SourceLocation location) const {
  clang::IdentifierInfo* info = preprocessor_.getIdentifierInfo({name.data(), name.size()});
  clang::Token token = token_at(info->getTokenID(), location, name.size());
  token.setIdentifierInfo(info);
  return token;
}

clang::Token TokenBuilder::punctuation(clang::tok::TokenKind kind,
                                       clang::SourceLocation location) const {
  return token_at(kind, location, 1);
}

clang::Token TokenBuilder::literal(clang::tok::TokenKind kind, std::string_view spelling,
                                   clang::SourceLocation location) const {
  clang::Token token = token_at(kind, location, spelling.size());
  preprocessor_.CreateString({spelling.data(), spelling.size()}, token, location, location);
  token.setKind(kind);
  return token;
}

clang::Token TokenBuilder::string(std::string_view text, clang::SourceLocation location) const {
  std::string spelling = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') spelling += '\\';
    spelling += c;
  }
  spelling += '"';
  return literal(clang::tok::string_literal, spelling, location);
}

clang::Token TokenBuilder::number(uint64_t value, clang::SourceLocation location) const {
  return literal(clang::tok::numeric_constant, std::to_string(value), location);
}

std::vector<clang::Token> TokenBuilder::snippet(std::string_view text,
                                                clang::SourceLocation location) const {
  std::string buffer(text);
  // Each token gets a place of its own inside of an expansion at `location`: when clang joins
  // tokens that it has looked at already, it finds the first of them by its place.
  clang::Token whole = token_at(clang::tok::string_literal, location, text.size());
  preprocessor_.CreateString(buffer, whole, location, location);
  // The lexer wants a place in a file.
  const clang::SourceManager& sources = preprocessor_.getSourceManager();
  clang::SourceLocation start = sources.getLocForStartOfFile(sources.getMainFileID());
  clang::Lexer lexer(start, preprocessor_.getLangOpts(), buffer.data(), buffer.data(),
                     buffer.data() + buffer.size());
  std::vector<clang::Token> tokens;
  for (clang::Token raw; !lexer.LexFromRawLexer(raw) || raw.isNot(clang::tok::eof);) {
    if (raw.is(clang::tok::eof)) break;
    auto offset = static_cast<int>(raw.getLocation().getRawEncoding() - start.getRawEncoding());
    clang::SourceLocation place = whole.getLocation().getLocWithOffset(offset);
    if (raw.is(clang::tok::raw_identifier)) {
      std::string_view name(raw.getRawIdentifier().data(), raw.getLength());
      tokens.push_back(identifier(name, place));
    } else if (raw.isLiteral()) {
      tokens.push_back(literal(raw.getKind(), {raw.getLiteralData(), raw.getLength()}, location));
    } else {
      tokens.push_back(token_at(raw.getKind(), place, raw.getLength()));
    }
  }
  return tokens;
}

}  // namespace assay::msl
