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

void emit_function_references(TokenRewriter& rewriter, size_t end) {
  const TokenSequence& in = rewriter.in;
  for (size_t& i = rewriter.position; i < end; ++i) {
    if (const FunctionParameter* parameter = rewriter.find_auto_parameter(i)) {
      rewriter.emit("auto", in[i].getLocation());
      rewriter.emit(in[parameter->name]);
      i = parameter->end - 1;
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

}  // namespace

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

bool rewrite_function_typedef(TokenRewriter& rewriter) {
  size_t end = rewriter.position;
  while (!rewriter.in[end].isOneOf(tok::semi, tok::l_brace, tok::eof)) ++end;
  if (!rewriter.in[end].is(tok::semi)) return false;
  emit_function_references(rewriter, end);
  return true;
}

}  // namespace assay::msl
