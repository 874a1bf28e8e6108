// See bound_temporaries.h.
#include "msl/bound_temporaries.h"

#include <clang/Basic/DiagnosticSema.h>

#include <set>

#include "msl/diagnostic_arguments.h"

namespace assay::msl {
namespace {

std::optional<clang::LangAS> space_of_argument(const clang::Diagnostic& diagnostic,
                                               unsigned index) {
  clang::QualType type = type_argument(diagnostic, index);
  return type.isNull() ? std::nullopt : std::optional(type.getAddressSpace());
}

}  // namespace

std::optional<clang::SourceLocation> find_bound_temporary(const clang::Diagnostic& diagnostic) {
  switch (diagnostic.getID()) {
    // Arguments: the type referred to, the value's type, what differs (1: the address space).
    case clang::diag::err_reference_bind_drops_quals:
      if (diagnostic.getNumArgs() < 3 || diagnostic.getRawArg(2) != 1 ||
          space_of_argument(diagnostic, 1) != clang::LangAS::Default) {
        return std::nullopt;
      }
      break;
    // `const thread auto&`. Arguments: the name, its type, the value's type.
    case clang::diag::err_auto_var_deduction_failure:
      if (diagnostic.getNumArgs() < 3 ||
          space_of_argument(diagnostic, 2) != clang::LangAS::Default) {
        return std::nullopt;
      }
      break;
    default: return std::nullopt;
  }
  return diagnostic.getLocation();
}

std::vector<size_t> locate_bound_temporaries(const std::vector<clang::SourceLocation>& names,
                                             const Tokens& tokens) {
  std::set<clang::SourceLocation::UIntTy> places;
  for (clang::SourceLocation name : names) places.insert(name.getRawEncoding());
  std::vector<size_t> references;
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (!places.contains(tokens[i].getLocation().getRawEncoding())) continue;
    if (tokens[i - 1].isOneOf(clang::tok::amp, clang::tok::ampamp)) references.push_back(i - 1);
  }
  return references;
}

}  // namespace assay::msl
