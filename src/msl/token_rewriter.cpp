// See token_rewriter.h.
#include "msl/token_rewriter.h"

namespace assay::msl {

using clang::Token;
namespace tok = clang::tok;

namespace {

bool is_cv(const Token& token) { return is_word(token, "const") || is_word(token, "volatile"); }

}  // namespace

bool is_address_space(const Token& token) {
  constexpr std::string_view kSpaces[] = {"device", "threadgroup", "constant", "thread"};
  return is_one_of_words(token, kSpaces);
}

TokenRewriter::TokenRewriter(const Tokens& tokens, clang::Preprocessor& preprocessor,
                             const Repairs& repairs)
    : in(tokens), preprocessor(preprocessor), make(preprocessor) {
  for (const HalfCast& cast : repairs.half_casts) {
    half_casts_.emplace(cast.operand, cast);
    operand_ends_.insert(cast.operand_last);
  }
  for (const ThreadOperand& operand : repairs.thread_operands) {
    thread_operands_.emplace(operand.first, operand);
    operand_ends_.insert(operand.last);
  }
  for (const BracedTemporary& braces : repairs.braced_temporaries) {
    braced_types_.emplace(braces.brace, braces.type);
    operand_ends_.insert(in.skip_group(braces.brace) - 1);
  }
  for (const FunctionParameter& parameter : repairs.function_parameters) {
    auto_parameters_.emplace(parameter.begin, parameter);
  }
  for (const LeftOutDeclaration& declaration : repairs.left_out) {
    left_out_.emplace(declaration.begin, declaration);
  }
  dropped_.insert(repairs.bound_temporaries.begin(), repairs.bound_temporaries.end());
}

Token TokenRewriter::with_base_keyword(const Token& token) const {
  if (is_word(token, "device")) return make.identifier("__global", token.getLocation());
  if (is_word(token, "threadgroup")) return make.identifier("__local", token.getLocation());
  if (is_word(token, "thread")) return make.identifier("__private", token.getLocation());
  return token;
}

// Constant memory is const, written or not. Behind a parameter list the word qualifies `this`;
// there method_qualifiers.cpp decides.
bool TokenRewriter::lacks_const(size_t index) const {
  return is_word(in[index], "constant") && !is_word(in.before(index), "const") &&
         !in.before(index).is(tok::r_paren) && !is_word(in[index + 1], "const");
}

// `thread const device float* rows[4]`: the pointers are in thread memory anyway.
bool TokenRewriter::is_redundant_thread(size_t index) const {
  if (!is_word(in[index], "thread")) return false;
  size_t next = index + 1;
  while (is_cv(in[next])) ++next;
  size_t previous = index;
  while (previous > 0 && is_cv(in[previous - 1])) --previous;
  return is_address_space(in[next]) || (previous > 0 && is_address_space(in[previous - 1]));
}

// `thread float seed;`, `thread uint count(…)`: values are in thread memory anyway, and the base
// language has no address space for members and results. An array parameter is a pointer.
bool TokenRewriter::is_thread_of_value(size_t index) const {
  if (!is_word(in[index], "thread") || is_word(in.before(index), "typedef")) return false;
  size_t words = 0;
  size_t i = index + 1;
  while (has_name(in[i]) || in[i].isOneOf(tok::coloncolon, tok::less)) {
    if (is_word(in[i], "operator")) return words > 0;
    if (in[i].is(tok::less)) {
      std::optional<size_t> end = in.skip_angles(i);
      if (!end) return false;
      i = *end;
      continue;
    }
    if (in[i].is(tok::coloncolon)) words = 0;
    if (has_name(in[i]) && !is_cv(in[i])) ++words;
    ++i;
  }
  if (words < 2 || !in[i - 1].is(tok::identifier)) return false;
  return in[i].isOneOf(tok::semi, tok::equal, tok::comma, tok::l_paren, tok::r_paren, tok::l_brace,
                       tok::colon) ||
         (in[i].is(tok::l_square) && parentheses == 0);
}

// In front of the operand of T(x), (T)x or static_cast<T>(x): the type is named there.
Tokens TokenRewriter::half_cast_prefix(const HalfCast& cast) const {
  size_t begin = cast.cast;
  size_t end = cast.operand > 0 ? cast.operand - 1 : 0;
  if (in[begin].is(tok::l_paren)) {
    end = in.skip_group(begin++) - 1;
  } else if (is_word(in[begin], "static_cast")) {
    end = in.skip_angles(begin + 1).value_or(begin + 1) - 1;
    begin += 2;
  }
  clang::SourceLocation location = in[cast.operand].getLocation();
  Tokens prefix = make.snippet("::metal::__assay::by_way_of_float<", location);
  for (; begin < end; ++begin) prefix.push_back(with_base_keyword(in[begin]));
  Tokens open = make.snippet(">(", location);
  prefix.insert(prefix.end(), open.begin(), open.end());
  return prefix;
}

Tokens TokenRewriter::rewritten(size_t begin, size_t end) const {
  Tokens out;
  for (size_t i = begin; i < end; ++i) {
    auto [operand, operands_end] = thread_operands_.equal_range(i);
    for (; operand != operands_end; ++operand) {
      const char* name = operand->second.is_object ? "thread_object" : "thread_operand";
      Tokens prefix =
          make.snippet(std::string("::metal::__assay::") + name + "(", in[i].getLocation());
      out.insert(out.end(), prefix.begin(), prefix.end());
    }
    auto [cast, casts_end] = half_casts_.equal_range(i);
    for (; cast != casts_end; ++cast) {
      Tokens prefix = half_cast_prefix(cast->second);
      out.insert(out.end(), prefix.begin(), prefix.end());
    }
    if (auto type = braced_types_.find(i); type != braced_types_.end()) {
      Tokens prefix =
          make.snippet("::metal::__assay::thread_operand(" + type->second, in[i].getLocation());
      out.insert(out.end(), prefix.begin(), prefix.end());
    }
    if (dropped_.contains(i) || is_redundant_thread(i) || is_thread_of_value(i)) continue;
    if (lacks_const(i)) out.push_back(make.identifier("const", in[i].getLocation()));
    out.push_back(with_base_keyword(in[i]));
    out.insert(out.end(), operand_ends_.count(i),
               make.punctuation(tok::r_paren, in[i].getLocation()));
  }
  return out;
}

}  // namespace assay::msl
