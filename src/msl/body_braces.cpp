// See body_braces.h.
#include "msl/body_braces.h"

#include <clang/Lex/Lexer.h>

#include <vector>

namespace assay::msl {
namespace {

// As custom/kernel_source.cpp writes them.
constexpr llvm::StringLiteral kBegin = "\n#line 1 \"source\"\n";
constexpr llvm::StringLiteral kEnd = "\n#line 1 \"signature\"\n}\n";

}  // namespace

std::optional<UnmatchedBrace> find_unmatched_brace(const clang::SourceManager& sources,
                                                   const clang::LangOptions& options) {
  const clang::FileID file = sources.getMainFileID();
  const llvm::StringRef text = sources.getBufferData(file);
  const size_t begin = text.find(kBegin), end = text.rfind(kEnd);
  if (begin == llvm::StringRef::npos || end == llvm::StringRef::npos || end < begin) return {};
  const size_t first = begin + kBegin.size();
  clang::Lexer lexer(sources.getLocForStartOfFile(file), options, text.begin(),
                     text.begin() + first, text.end());
  std::vector<clang::SourceLocation> open;
  clang::Token token;
  while (!lexer.LexFromRawLexer(token) && sources.getFileOffset(token.getLocation()) < end) {
    if (token.is(clang::tok::l_brace)) open.push_back(token.getLocation());
    if (token.isNot(clang::tok::r_brace)) continue;
    if (open.empty()) return UnmatchedBrace{token.getLocation(), false};
    open.pop_back();
  }
  if (open.empty()) return {};
  return UnmatchedBrace{open.back(), true};
}

}  // namespace assay::msl
