// See wide_vector_tokens.h.
#include "msl/wide_vector_tokens.h"

namespace assay::msl {

namespace tok = clang::tok;
using clang::Token;

bool WideVectorTokens::rewrite() {
  const Token& token = rewriter_.here();
  const size_t i = rewriter_.position;
  if (is_word(token, "typedef") || is_word(token, "using")) note_type();
  if (types_.empty()) return false;
  if (token.is(tok::l_paren)) return rewrite_cast();
  const bool is_static_cast = is_word(token, "static_cast") && in_[i + 1].is(tok::less) &&
                              is_type(i + 2) && in_[i + 3].is(tok::greater);
  if (is_static_cast) {
    rewriter_.emit("::metal::__assay::wide_vector", token.getLocation());
    ++rewriter_.position;
    return true;
  }
  const bool is_call = is_type(i) && in_[i + 1].is(tok::l_paren) &&
                       !in_.before(i).isOneOf(tok::period, tok::arrow, tok::coloncolon);
  if (!is_call) return false;
  rewriter_.emit("::metal::__assay::wide_vector<", token.getLocation());
  rewriter_.emit(token);
  rewriter_.emit(">", token.getLocation());
  ++rewriter_.position;
  return true;
}

// typedef T NAME __attribute__((ext_vector_type(8))); using NAME = T __attribute__((…));
void WideVectorTokens::note_type() {
  const size_t end = in_.find_semicolon(rewriter_.position);
  const bool is_using = is_word(rewriter_.here(), "using");
  std::string name = is_using ? std::string(word_of(in_[rewriter_.position + 1])) : "";
  bool is_vector = false;
  for (size_t i = rewriter_.position + 1; i < end;) {
    if (is_word(in_[i], "__attribute__") && in_[i + 1].is(tok::l_paren)) {
      const size_t behind = in_.skip_group(i + 1);
      for (; i < behind; ++i) {
        is_vector |= is_word(in_[i], "ext_vector_type") || is_word(in_[i], "__ext_vector_type__");
      }
      continue;
    }
    if (!is_using && in_[i].is(tok::identifier)) name = word_of(in_[i]);
    ++i;
  }
  if (is_vector && !name.empty()) types_.insert(name);
}

bool WideVectorTokens::is_type(size_t index) const {
  return in_[index].is(tok::identifier) && types_.contains(word_of(in_[index]));
}

// (half8)x, (half8)(x, y, …). In `sizeof(half8)` and `f(half8)` a name is in front.
bool WideVectorTokens::rewrite_cast() {
  const size_t i = rewriter_.position;
  if (!is_type(i + 1) || !in_[i + 2].is(tok::r_paren)) return false;
  const Token& previous = in_.before(i);
  const Token& operand = in_[i + 3];
  const bool is_cast = (!has_name(previous) || is_word(previous, "return")) &&
                       !previous.isOneOf(tok::greater, tok::r_square) &&
                       (has_name(operand) || operand.isLiteral() || operand.is(tok::l_paren));
  if (!is_cast) return false;
  const clang::SourceLocation location = in_[i].getLocation();
  const bool is_list = operand.is(tok::l_paren);
  rewriter_.emit(is_list ? "::metal::__assay::wide_vector<" : "::metal::__assay::wide_cast<",
                 location);
  rewriter_.emit(in_[i + 1]);
  // ->* takes the operand that a cast takes.
  rewriter_.emit(is_list ? ">" : ">() ->*", location);
  rewriter_.position = i + 3;
  return true;
}

}  // namespace assay::msl
