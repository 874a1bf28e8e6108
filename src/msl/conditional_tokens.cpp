// See conditional_tokens.h.
#include "msl/conditional_tokens.h"

namespace assay::msl {
namespace {

namespace tok = clang::tok;

// Behind *p, *(p + i), p[i], s.x, s->x[i], (a), f(x), T<n>(x, y): names, members, subscripts, calls
// and what is in parentheses, without a conditional inside: that one is rewritten on its own.
std::optional<size_t> skip_object_name(const TokenSequence& in, size_t i) {
  while (in[i].is(tok::star)) ++i;
  if (in[i].isOneOf(tok::identifier, tok::kw_this)) {
    ++i;
  } else if (!in[i].is(tok::l_paren)) {
    return std::nullopt;
  }
  while (i < in.size()) {
    if (in[i].isOneOf(tok::l_square, tok::l_paren, tok::l_brace)) {
      size_t end = in.skip_group(i);
      for (; i < end; ++i) {
        if (in[i].isOneOf(tok::question, tok::semi)) return std::nullopt;
      }
    } else if (in[i].is(tok::less)) {
      std::optional<size_t> end = in.skip_angles(i);
      if (!end || !in[*end].isOneOf(tok::l_paren, tok::l_brace, tok::coloncolon)) return i;
      i = *end;
    } else if (in[i].isOneOf(tok::period, tok::arrow, tok::coloncolon) &&
               in[i + 1].is(tok::identifier)) {
      i += 2;
    } else {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<size_t> open_conditional_arm(TokenRewriter& rewriter, bool is_left) {
  const TokenSequence& in = rewriter.in;
  std::optional<size_t> end = skip_object_name(in, rewriter.position);
  if (!end) return std::nullopt;
  bool is_whole_arm = is_left ? in[*end].is(tok::colon)
                              : in[*end].isOneOf(tok::semi, tok::r_paren, tok::comma, tok::r_square,
                                                 tok::r_brace, tok::colon);
  if (!is_whole_arm) return std::nullopt;
  clang::SourceLocation location = rewriter.here().getLocation();
  rewriter.emit("(typename ::metal::__assay::arm<decltype((", location);
  rewriter.emit(rewriter.rewritten(rewriter.position, *end));
  rewriter.emit("))>::type)(", location);
  return end;
}

}  // namespace assay::msl
