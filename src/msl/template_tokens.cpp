// See template_tokens.h.
#include "msl/template_tokens.h"

#include <clang/Lex/LiteralSupport.h>

#include <algorithm>

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;

void emit_without_attributes(TokenRewriter& rewriter, size_t end) {
  while (rewriter.position < end) {
    if (rewriter.in.is_attribute_list(rewriter.position)) {
      rewriter.position = rewriter.in.skip_group(rewriter.position);
    } else {
      rewriter.emit_rewritten(rewriter.position++);
    }
  }
}

// Whether the attributes at the rewriter's position make a kernel of the function.
bool read_attributes(TokenRewriter& rewriter, KernelInstantiation& instantiation) {
  const TokenSequence& in = rewriter.in;
  bool is_kernel = false;
  size_t end = in.skip_group(rewriter.position);
  for (size_t i = rewriter.position; i < end; ++i) {
    if (is_word(in[i], "kernel")) is_kernel = true;
    if (!is_word(in[i], "host_name") || !in[i + 1].is(tok::l_paren)) continue;
    is_kernel = true;
    size_t close = in.skip_group(i + 1) - 1;
    Tokens literals;
    for (size_t j = i + 2; j < close; ++j) literals.push_back(in[j]);
    bool all_strings = !literals.empty() && std::ranges::all_of(literals, [](const Token& token) {
      return token.is(tok::string_literal);
    });
    if (!all_strings) {
      rewriter.report({in[i].getLocation(), Severity::kError, "host_name needs a string",
                       "write [[host_name(\"name\")]]"});
      continue;
    }
    clang::StringLiteralParser parser(literals, rewriter.preprocessor);
    if (!parser.hadError) instantiation.host_name = parser.GetString().str();
  }
  return is_kernel;
}

// `Function f` or `Function<T> f`, where Function is a name for pointers to functions: the end of
// the type.
std::optional<size_t> find_function_type(const TokenRewriter& rewriter, size_t i) {
  const TokenSequence& in = rewriter.in;
  if (!in.before(i).isOneOf(tok::less, tok::comma)) return std::nullopt;
  if (is_word(in[i], "typename")) ++i;
  while (in[i].is(tok::identifier) && in[i + 1].is(tok::coloncolon)) i += 2;
  if (!rewriter.function_types.contains(word_of(in[i]))) return std::nullopt;
  ++i;
  if (in[i].is(tok::less)) i = in.skip_angles(i).value_or(i);
  const bool is_declared = in[i].isOneOf(tok::identifier, tok::comma, tok::greater, tok::ellipsis);
  return is_declared ? std::optional(i) : std::nullopt;
}

void emit_function_references(TokenRewriter& rewriter, size_t end) {
  const TokenSequence& in = rewriter.in;
  for (size_t& i = rewriter.position; i < end; ++i) {
    if (const FunctionParameter* parameter = rewriter.find_auto_parameter(i)) {
      rewriter.emit("auto", in[i].getLocation());
      rewriter.emit(in[parameter->name]);
      i = parameter->end - 1;
      continue;
    }
    if (std::optional<size_t> type_end = find_function_type(rewriter, i)) {
      rewriter.emit("typename ::metal::__assay::function_reference<", in[i].getLocation());
      rewriter.emit(rewriter.rewritten(i, *type_end));
      rewriter.emit(">::type", in[i].getLocation());
      i = *type_end - 1;
      continue;
    }
    bool is_function_pointer = in[i].is(tok::star) && in.before(i).is(tok::l_paren) &&
                               ((in[i + 1].is(tok::identifier) && in[i + 2].is(tok::r_paren) &&
                                 in[i + 3].is(tok::l_paren)) ||
                                (in[i + 1].is(tok::r_paren) && in[i + 2].is(tok::l_paren)));
    if (is_function_pointer) {
      rewriter.emit(rewriter.make.punctuation(tok::amp, in[i].getLocation()));
    } else {
      rewriter.emit_rewritten(i);
    }
  }
}

// typedef R (*Name)(A…); using Name = R (*)(A…);
std::string_view named_function_type(const TokenSequence& in, size_t i) {
  const bool is_alias = is_word(in[i], "using") && in[i + 2].is(tok::equal);
  if (!is_alias && !is_word(in[i], "typedef")) return {};
  for (size_t at = i + 1; !in[at].isOneOf(tok::semi, tok::l_brace, tok::eof); ++at) {
    if (!in[at].is(tok::l_paren) || !in[at + 1].is(tok::star)) continue;
    const size_t close = is_alias ? at + 2 : at + 3;
    if (!in[close].is(tok::r_paren) || !in[close + 1].is(tok::l_paren)) continue;
    return word_of(is_alias ? in[i + 1] : in[at + 2]);
  }
  return {};
}

}  // namespace

std::set<std::string_view> find_function_types(const TokenSequence& in) {
  std::set<std::string_view> names;
  for (size_t i = 0; i < in.size(); ++i) {
    std::string_view name = named_function_type(in, i);
    if (!name.empty()) names.insert(name);
  }
  return names;
}

void rewrite_explicit_instantiation(TokenRewriter& rewriter) {
  const TokenSequence& in = rewriter.in;
  KernelInstantiation instantiation;
  bool is_kernel = false;
  size_t name = 0;
  bool name_is_final = false;
  rewriter.emit(in[rewriter.position++]);
  while (!rewriter.here().isOneOf(tok::semi, tok::eof, tok::r_brace)) {
    const Token& token = rewriter.here();
    if (in.is_attribute_list(rewriter.position)) {
      is_kernel |= read_attributes(rewriter, instantiation);
      rewriter.position = in.skip_group(rewriter.position);
    } else if (is_word(token, "kernel")) {
      is_kernel = true;
      ++rewriter.position;
    } else if (token.is(tok::l_paren)) {
      name_is_final |= !is_word(in.before(rewriter.position), "decltype");
      emit_without_attributes(rewriter, in.skip_group(rewriter.position));
    } else if (token.is(tok::less)) {
      size_t end = in.skip_angles(rewriter.position).value_or(rewriter.position + 1);
      emit_without_attributes(rewriter, end);
    } else {
      if (has_name(token) && !name_is_final) name = rewriter.position;
      rewriter.emit_rewritten(rewriter.position++);
    }
  }
  if (is_kernel) {
    rewriter.sees_kernel = true;
    instantiation.name_location = in[name].getLocation();
    rewriter.result.instantiations.push_back(std::move(instantiation));
  }
}

void rewrite_template_parameters(TokenRewriter& rewriter) {
  std::optional<size_t> end = rewriter.in.skip_angles(rewriter.position + 1);
  rewriter.emit(rewriter.in[rewriter.position++]);
  if (end) emit_function_references(rewriter, *end);
}

}  // namespace assay::msl
