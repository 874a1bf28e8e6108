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
    operand_ends_.emplace(cast.operand_last, cast.operand);
  }
  for (const MixedOperand& operand : repairs.mixed_operands) {
    mixed_operands_.emplace(operand.first, operand);
    operand_ends_.emplace(operand.last, operand.first);
  }
  for (const ThreadOperand& operand : repairs.thread_operands) {
    thread_operands_.emplace(operand.first, operand);
    operand_ends_.emplace(operand.last, operand.first);
  }
  for (const BracedTemporary& braces : repairs.braced_temporaries) {
    braced_types_.emplace(braces.brace, braces.type);
    operand_ends_.emplace(in.skip_group(braces.brace) - 1, braces.brace);
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

Tokens TokenRewriter::mixed_operand_prefix(const MixedOperand& operand) const {
  const clang::SourceLocation location = in[operand.first].getLocation();
  Tokens prefix = make.snippet("::metal::__assay::beside<decltype((", location);
  // Each of two operands may be the other one of the other.
  const Range other{operand.other_first, operand.other_last + 1, /*holds_itself=*/false};
  for (const Tokens& part : {copy_of(other), make.snippet("))>(", location)}) {
    prefix.insert(prefix.end(), part.begin(), part.end());
  }
  return prefix;
}

// What opens around operands that begin with this token.
void TokenRewriter::append_prefixes(size_t index, Range range, Tokens& out) const {
  auto append = [&](const Tokens& prefix) { out.insert(out.end(), prefix.begin(), prefix.end()); };
  auto each = [&](const auto& operands, auto last_of, auto make_prefix) {
    auto [first, last] = operands.equal_range(index);
    for (; first != last; ++first) {
      if (range.holds(index, last_of(first->second))) append(make_prefix(first->second));
    }
  };
  const clang::SourceLocation location = in[index].getLocation();
  each(
      mixed_operands_, [](const MixedOperand& operand) { return operand.last; },
      [&](const MixedOperand& operand) { return mixed_operand_prefix(operand); });
  each(
      thread_operands_, [](const ThreadOperand& operand) { return operand.last; },
      [&](const ThreadOperand& operand) {
        const char* name = operand.is_object ? "thread_object" : "thread_operand";
        return make.snippet(std::string("::metal::__assay::") + name + "(", location);
      });
  each(
      half_casts_, [](const HalfCast& cast) { return cast.operand_last; },
      [&](const HalfCast& cast) { return half_cast_prefix(cast); });
  auto type = braced_types_.find(index);
  if (type != braced_types_.end() && range.holds(index, in.skip_group(index) - 1)) {
    append(make.snippet("::metal::__assay::thread_operand(" + type->second, location));
  }
}

void TokenRewriter::append_ends(size_t index, Range range, Tokens& out) const {
  auto [first, last] = operand_ends_.equal_range(index);
  for (; first != last; ++first) {
    if (!range.holds(first->second, index)) continue;
    out.push_back(make.punctuation(tok::r_paren, in[index].getLocation()));
  }
}

void TokenRewriter::append_rewritten(size_t index, Range range, Tokens& out) const {
  append_prefixes(index, range, out);
  if (dropped_.contains(index) || is_redundant_thread(index) || is_thread_of_value(index)) return;
  if (lacks_const(index)) out.push_back(make.identifier("const", in[index].getLocation()));
  out.push_back(with_base_keyword(in[index]));
  append_ends(index, range, out);
}

void TokenRewriter::emit_in_place_of(size_t index, std::string_view text) {
  const Range everything{0, in.size()};
  append_prefixes(index, everything, result.tokens);
  emit(text, in[index].getLocation());
  append_ends(index, everything, result.tokens);
}

Tokens TokenRewriter::copy_of(Range range) const {
  Tokens out;
  for (size_t i = range.begin; i < range.end; ++i) append_rewritten(i, range, out);
  return out;
}

Tokens TokenRewriter::rewritten(size_t begin, size_t end) const { return copy_of({begin, end}); }

}  // namespace assay::msl
