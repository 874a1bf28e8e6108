// See internal_names.h.
#include "msl/internal_names.h"

#include <clang/AST/ASTDiagnostic.h>
#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <regex>
#include <string_view>

#include "msl/token_pass.h"
#include "msl/variable_types.h"

namespace assay::msl {
namespace {

// Parts of names; `type-parameter-0-1` is clang's word for a parameter without a name.
constexpr std::string_view kInternal[] = {"__assay",   "ASSAY_",          "__components",
                                          "__vectors", "type-parameter-", "__packed_format"};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// 'T' (aka 'U'): only the one that has no internal names.
std::string without_aliases(const std::string& text) {
  static const std::regex kAlias(R"('([^']*)' \(aka '([^']*)'\))");
  std::string out;
  size_t last = 0;
  for (std::sregex_iterator it(text.begin(), text.end(), kAlias), end; it != end; ++it) {
    const auto begin = static_cast<size_t>(it->position());
    out += text.substr(last, begin - last);
    if (has_internal_names(it->str(1))) {
      out += "'" + it->str(2) + "'";
    } else if (has_internal_names(it->str(2))) {
      out += "'" + it->str(1) + "'";
    } else {
      out += it->str();
    }
    last = begin + it->str().size();
  }
  return out + text.substr(last);
}

bool is_in_internal_namespace(const clang::Decl* declaration) {
  const clang::DeclContext* scope = declaration->getDeclContext();
  for (; scope != nullptr; scope = scope->getParent()) {
    const auto* space = llvm::dyn_cast<clang::NamespaceDecl>(scope);
    if (space != nullptr && space->getName() == "__assay") return true;
  }
  return false;
}

bool is_internal_alias(const clang::Type* type) {
  if (const auto* name = llvm::dyn_cast<clang::TypedefType>(type)) {
    return is_in_internal_namespace(name->getDecl());
  }
  const auto* special = llvm::dyn_cast<clang::TemplateSpecializationType>(type);
  if (special == nullptr || !special->isTypeAlias()) return false;
  const clang::TemplateDecl* alias = special->getTemplateName().getAsTemplateDecl();
  return alias != nullptr && is_in_internal_namespace(alias);
}

// Whether a name of the library stands somewhere between the type and what it is.
bool is_spelt_by_library(clang::QualType type, const clang::ASTContext& context) {
  while (!is_internal_alias(type.getTypePtr())) {
    clang::QualType inner = type->getPointeeType();
    if (inner.isNull() && type->isArrayType())
      inner = context.getAsArrayType(type)->getElementType();
    const clang::QualType plainer = type.getSingleStepDesugaredType(context);
    if (plainer != type) {
      type = plainer;
    } else if (!inner.isNull()) {
      type = inner;
    } else {
      return false;
    }
  }
  return true;
}

using Engine = clang::DiagnosticsEngine;

void format_argument(Engine::ArgumentKind kind, intptr_t value, llvm::StringRef modifier,
                     llvm::StringRef argument, llvm::ArrayRef<Engine::ArgumentValue> previous,
                     llvm::SmallVectorImpl<char>& out, void* cookie,
                     llvm::ArrayRef<intptr_t> types) {
  const auto& context = *static_cast<const clang::ASTContext*>(cookie);
  auto known = [&](intptr_t given) {
    auto type = clang::QualType::getFromOpaquePtr(reinterpret_cast<void*>(given));
    if (type.isNull() || !is_spelt_by_library(type, context)) return given;
    return reinterpret_cast<intptr_t>(context.getCanonicalType(type).getAsOpaquePtr());
  };
  if (kind == Engine::ak_qualtype) value = known(value);
  if (kind == Engine::ak_qualtype_pair) {
    auto& pair = *reinterpret_cast<clang::TemplateDiffTypes*>(value);
    pair.FromType = known(pair.FromType);
    pair.ToType = known(pair.ToType);
  }
  clang::FormatASTNodeDiagnosticArgument(kind, value, modifier, argument, previous, out, cookie,
                                         types);
}

}  // namespace

void spell_known_types(clang::DiagnosticsEngine& diagnostics, clang::ASTContext& context) {
  diagnostics.SetArgToStringFn(&format_argument, &context);
}

std::string without_internal_names(std::string message) {
  replace_all(message, kDefinedPrefix, "");
  static const std::regex kUnnamed(std::string(kUnnamedPrefix) + "[0-9]+");
  message = std::regex_replace(message, kUnnamed, "(unnamed type)");
  static const std::regex kSize(R"('(?:metal::)?__components ?\[([234])\]')");
  message = std::regex_replace(message, kSize, "$1 components");
  message = without_aliases(message);
  static const std::regex kSuggestion(R"(; did you mean '([^']*)'\?)");
  std::smatch suggestion;
  if (std::regex_search(message, suggestion, kSuggestion) &&
      has_internal_names(suggestion.str(1))) {
    message.erase(static_cast<size_t>(suggestion.position()),
                  static_cast<size_t>(suggestion.length()));
  }
  return message;
}

bool has_internal_names(const std::string& message) {
  return std::ranges::any_of(
      kInternal, [&](std::string_view part) { return message.find(part) != std::string::npos; });
}

}  // namespace assay::msl
