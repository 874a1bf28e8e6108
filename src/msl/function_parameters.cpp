// See function_parameters.h.
#include "msl/function_parameters.h"

#include <clang/AST/DeclarationName.h>
#include <clang/Basic/DiagnosticSema.h>

#include "msl/diagnostic_arguments.h"

namespace assay::msl {
namespace {

using clang::Token;
namespace tok = clang::tok;
namespace diag = clang::diag;

// T (*F)(T, T), T (&F)(T, T), T F(T, T) or Function F. Nothing for types and for what has no name.
std::optional<size_t> find_name(const TokenSequence& in, size_t begin, size_t end) {
  if (is_word(in[begin], "typename") || is_word(in[begin], "class")) return std::nullopt;
  for (size_t i = begin; i < end; ++i) {
    bool is_pointer = in[i].isOneOf(tok::star, tok::amp) && in.before(i).is(tok::l_paren);
    if (is_pointer && in[i + 1].is(tok::identifier)) return i + 1;
    if (i > begin && in[i].is(tok::identifier) && in[i + 1].is(tok::l_paren)) return i;
  }
  bool has_name_behind_type = end >= begin + 2 && in[end - 1].is(tok::identifier);
  return has_name_behind_type ? std::optional(end - 1) : std::nullopt;
}

class ParameterFinder {
 public:
  explicit ParameterFinder(const Tokens& tokens) : in_(tokens) {}

  std::optional<FunctionParameter> find(const RefusedFunction& refused) const {
    std::optional<size_t> place = index_of(refused.place);
    if (!place) return std::nullopt;
    if (refused.parameter.empty()) return find_of_argument(*place);
    for (const FunctionParameter& parameter : parameters_before(*place)) {
      if (word_of(in_[parameter.name]) == refused.parameter) return parameter;
    }
    return std::nullopt;
  }

 private:
  std::optional<size_t> index_of(clang::SourceLocation place) const {
    for (size_t i = 0; i < in_.size(); ++i) {
      if (in_[i].getLocation() == place) return i;
    }
    return std::nullopt;
  }

  // The parameter for the argument of a class template that begins at `argument`, or whose default
  // begins there.
  std::optional<FunctionParameter> find_of_argument(size_t argument) const {
    size_t number = 0;
    size_t depth = 0;
    size_t i = argument;
    while (i > 0) {
      const Token& token = in_[--i];
      if (token.isOneOf(tok::semi, tok::l_brace, tok::r_brace)) return std::nullopt;
      if (token.isOneOf(tok::r_paren, tok::greater)) ++depth;
      if (token.is(tok::greatergreater)) depth += 2;
      if (token.is(tok::less) && depth == 0) break;
      if (token.isOneOf(tok::l_paren, tok::less) && depth > 0) --depth;
      if (token.is(tok::comma) && depth == 0) ++number;
    }
    if (is_word(in_.before(i), "template")) return find_numbered(parameters_of(i - 1), number);
    std::string_view name = word_of(in_.before(i));
    for (size_t at = 0; at < in_.size() && !name.empty(); ++at) {
      if (!declares(at, name)) continue;
      if (auto parameter = find_numbered(parameters_before(at), number)) return parameter;
    }
    return std::nullopt;
  }

  bool declares(size_t at, std::string_view name) const {
    return is_word(in_[at], name) &&
           (is_word(in_.before(at), "struct") || is_word(in_.before(at), "class"));
  }

  struct NumberedParameter : FunctionParameter {
    size_t number = 0;
  };

  static std::optional<FunctionParameter> find_numbered(
      const std::vector<NumberedParameter>& parameters, size_t number) {
    for (const NumberedParameter& parameter : parameters) {
      if (parameter.number == number) return parameter;
    }
    return std::nullopt;
  }

  // Those of the `template <…>` in front of a declaration's name.
  std::vector<NumberedParameter> parameters_before(size_t name) const {
    size_t head = name;
    while (head > 0 && !is_word(in_[head], "template")) {
      if (in_[head].isOneOf(tok::semi, tok::l_brace, tok::r_brace)) return {};
      --head;
    }
    return parameters_of(head);
  }

  // Those that may be functions, of the `template` at `head`.
  std::vector<NumberedParameter> parameters_of(size_t head) const {
    std::vector<NumberedParameter> parameters;
    std::optional<size_t> close = in_.skip_angles(head + 1);
    if (!in_[head + 1].is(tok::less) || !close) return {};
    size_t begin = head + 2;
    for (size_t number = 0; begin < *close; ++number) {
      size_t end = begin;
      size_t declared = 0;  // the end without a default
      while (end + 1 < *close && !in_[end].is(tok::comma)) {
        if (in_[end].is(tok::equal) && declared == 0) declared = end;
        bool opens = in_[end].isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
        if (opens) {
          end = in_.skip_group(end);
        } else {
          end = in_[end].is(tok::less) ? in_.skip_angles(end).value_or(end + 1) : end + 1;
        }
      }
      if (declared == 0) declared = end;
      if (auto found = find_name(in_, begin, declared)) {
        parameters.push_back({{begin, *found, declared}, number});
      }
      begin = end + 1;
    }
    return parameters;
  }

  const TokenSequence in_;
};

}  // namespace

std::optional<RefusedFunction> find_refused_function(const clang::Diagnostic& diagnostic) {
  using Engine = clang::DiagnosticsEngine;
  switch (diagnostic.getID()) {
    case diag::note_ovl_candidate_explicit_arg_mismatch_named: {
      if (diagnostic.getArgKind(0) != Engine::ak_declarationname) return std::nullopt;
      auto name = clang::DeclarationName::getFromOpaqueInteger(diagnostic.getRawArg(0));
      return RefusedFunction{diagnostic.getLocation(), name.getAsString()};
    }
    // Arguments: the type of the value, the type of the parameter.
    case diag::err_typecheck_converted_constant_expression: {
      clang::QualType wanted = type_argument(diagnostic, 1);
      if (wanted.isNull()) return std::nullopt;
      bool is_function =
          wanted->isFunctionPointerType() || wanted.getNonReferenceType()->isFunctionType();
      if (!is_function) return std::nullopt;
      return RefusedFunction{diagnostic.getLocation(), {}};
    }
    default: return std::nullopt;
  }
}

std::vector<FunctionParameter> locate_function_parameters(
    const std::vector<RefusedFunction>& refused, const Tokens& tokens) {
  std::vector<FunctionParameter> parameters;
  const ParameterFinder finder(tokens);
  for (const RefusedFunction& function : refused) {
    if (auto parameter = finder.find(function)) parameters.push_back(*parameter);
  }
  return parameters;
}

}  // namespace assay::msl
