// See program_scope.h.
#include "msl/program_scope.h"

#include <algorithm>

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

bool is_record_word(const Token& token) {
  constexpr std::string_view kWords[] = {"struct", "class", "union", "enum"};
  return is_one_of_words(token, kWords);
}

// Behind `template <…>`, attributes and what else may have brackets in front of a declaration.
size_t skip_prefix(const TokenSequence& in, size_t i) {
  while (true) {
    if (is_word(in[i], "template") && in[i + 1].is(tok::less)) {
      i = in.skip_angles(i + 1).value_or(i + 2);
    } else if (in.is_attribute_list(i)) {
      i = in.skip_group(i);
    } else if (is_word(in[i], "__attribute__") && in[i + 1].is(tok::l_paren)) {
      i = in.skip_group(i + 1);
    } else {
      return i;
    }
  }
}

// Behind the '{' of a namespace or of extern "C"; nothing for other declarations.
std::optional<size_t> enter_namespace(const TokenSequence& in, size_t i) {
  if (is_word(in[i], "extern") && in[i + 1].is(tok::string_literal) && in[i + 2].is(tok::l_brace)) {
    return i + 3;
  }
  if (is_word(in[i], "inline")) ++i;
  if (!is_word(in[i], "namespace")) return std::nullopt;
  for (++i; has_name(in[i]) || in[i].is(tok::coloncolon); ++i) {
  }
  return in[i].is(tok::l_brace) ? std::optional(i + 1) : std::nullopt;
}

// A '{' is a function's body behind the parameters, unless a class or a value came in between.
size_t find_end(const TokenSequence& in, size_t begin) {
  bool has_parameters = false;
  bool has_value = false;
  for (size_t i = skip_prefix(in, begin); !in[i].is(tok::eof);) {
    const Token& token = in[i];
    if (token.is(tok::semi)) return i + 1;
    if (token.is(tok::r_brace)) return i;  // of what is around it
    if (is_record_word(token)) has_parameters = false;
    if (token.is(tok::equal) && !is_word(in.before(i), "operator")) has_value = true;
    if (token.is(tok::l_paren) && !is_word(in.before(i), "alignas")) has_parameters = true;
    const bool is_body = token.is(tok::l_brace) && has_parameters && !has_value;
    i = token.isOneOf(tok::l_paren, tok::l_square, tok::l_brace) ? in.skip_group(i) : i + 1;
    if (is_body) return i;
  }
  return in.size() - 1;
}

}  // namespace

std::vector<ProgramScopeDeclaration> list_declarations(const TokenSequence& in) {
  std::vector<ProgramScopeDeclaration> declarations;
  size_t i = 0;
  while (i < in.size() && !in[i].is(tok::eof)) {
    if (std::optional<size_t> inside = enter_namespace(in, i)) {
      i = *inside;
    } else if (in[i].isOneOf(tok::semi, tok::r_brace) || in[i].isAnnotation()) {
      ++i;
    } else {
      const size_t end = std::max(find_end(in, i), i + 1);
      declarations.push_back({i, end});
      i = end;
    }
  }
  return declarations;
}

std::string_view declared_name(const TokenSequence& in,
                               const ProgramScopeDeclaration& declaration) {
  size_t i = skip_prefix(in, declaration.begin);
  const bool is_typedef = is_word(in[i], "typedef");
  std::string_view name;
  for (; i < declaration.end; ++i) {
    const Token& token = in[i];
    if (in.is_attribute_list(i)) {
      i = in.skip_group(i) - 1;
      continue;
    }
    if (token.is(tok::less)) {
      i = in.skip_angles(i).value_or(i + 1) - 1;
      continue;
    }
    if (token.isOneOf(tok::semi, tok::equal, tok::l_square)) return name;
    if (token.isOneOf(tok::l_paren, tok::l_brace, tok::colon) && !name.empty() && !is_typedef) {
      return name;
    }
    if (token.isOneOf(tok::l_paren, tok::l_brace)) {
      i = in.skip_group(i) - 1;
      continue;
    }
    if (token.is(tok::identifier)) name = word_of(token);
  }
  return name;
}

bool declares_kernel(const TokenSequence& in, const ProgramScopeDeclaration& declaration) {
  for (size_t i = declaration.begin; i < declaration.end; ++i) {
    if (is_word(in[i], "kernel") || is_word(in[i], "host_name")) return true;
    if (in[i].isOneOf(tok::l_paren, tok::l_brace)) i = in.skip_group(i) - 1;
  }
  return false;
}

bool is_template(const TokenSequence& in, const ProgramScopeDeclaration& declaration) {
  const size_t i = declaration.begin;
  return is_word(in[i], "template") && in[i + 1].is(tok::less) && !in[i + 2].is(tok::greater);
}

}  // namespace assay::msl
