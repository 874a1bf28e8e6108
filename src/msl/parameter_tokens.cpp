// See parameter_tokens.h.
#include "msl/parameter_tokens.h"

#include <algorithm>

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

// Words of a declaration that say nothing about which type it is.
constexpr std::string_view kQualifiers[] = {"const",   "volatile",   "typename", "__global",
                                            "__local", "__constant", "constant", "__private"};

bool is_qualifier(const Token& token) { return is_one_of_words(token, kQualifiers); }

// T (&name)[4], T (*name)(int)
std::optional<size_t> find_inner_name(const TokenSequence& tokens, size_t begin, size_t end) {
  for (size_t i = begin; i + 3 < end; ++i) {
    if (tokens[i].is(tok::l_paren) && tokens[i + 1].isOneOf(tok::amp, tok::star) &&
        tokens[i + 2].is(tok::identifier) && tokens[i + 3].is(tok::r_paren)) {
      return i + 2;
    }
  }
  return std::nullopt;
}

// The last name, unless it is the type itself.
std::optional<size_t> find_name(const TokenSequence& tokens, size_t begin, size_t end) {
  if (auto inner = find_inner_name(tokens, begin, end)) return inner;
  std::optional<size_t> last;
  for (size_t i = begin; i < end;) {
    if (tokens[i].is(tok::l_square) || tokens[i].is(tok::l_paren)) {
      i = tokens.skip_group(i);
      continue;
    }
    if (tokens[i].is(tok::less)) {
      last.reset();
      i = tokens.skip_angles(i).value_or(i + 1);
      continue;
    }
    last = tokens[i].is(tok::identifier) ? std::optional(i) : std::nullopt;
    ++i;
    bool ends_name = i == end || tokens[i].is(tok::l_square);
    if (last && ends_name) break;
  }
  if (!last || *last == begin || tokens[*last - 1].is(tok::coloncolon)) return std::nullopt;
  bool is_type = true;
  for (size_t i = begin; i < *last; ++i) is_type &= is_qualifier(tokens[i]);
  return is_type ? std::nullopt : last;
}

ParameterTokens parse_parameter(const TokenSequence& tokens, size_t begin, size_t end) {
  ParameterTokens parameter;
  parameter.begin = begin;
  parameter.end = end;
  for (size_t i = begin; i < parameter.end; ++i) {
    if (tokens[i].is(tok::equal)) parameter.end = i;
    parameter.is_pack |= tokens[i].is(tok::ellipsis);
    parameter.is_rvalue_reference |= tokens[i].is(tok::ampamp);
  }
  parameter.name = find_name(tokens, begin, parameter.end);
  return parameter;
}

}  // namespace

std::vector<ParameterTokens> parse_parameters(const TokenSequence& tokens, size_t open) {
  std::vector<ParameterTokens> parameters;
  size_t close = tokens.skip_group(open) - 1;
  size_t begin = open + 1;
  for (size_t i = begin; i < close;) {
    if (tokens[i].is(tok::comma)) {
      parameters.push_back(parse_parameter(tokens, begin, i));
      begin = ++i;
    } else if (tokens[i].isOneOf(tok::l_paren, tok::l_square, tok::l_brace)) {
      i = tokens.skip_group(i);
    } else if (tokens[i].is(tok::less)) {
      i = tokens.skip_angles(i).value_or(i + 1);
    } else {
      ++i;
    }
  }
  if (begin < close) parameters.push_back(parse_parameter(tokens, begin, close));
  return parameters;
}

}  // namespace assay::msl
