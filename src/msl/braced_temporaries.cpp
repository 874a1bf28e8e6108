// See braced_temporaries.h.
#include "msl/braced_temporaries.h"

#include <clang/AST/PrettyPrinter.h>
#include <clang/AST/Type.h>
#include <clang/Basic/DiagnosticSema.h>
#include <clang/Basic/LangOptions.h>

#include "msl/diagnostic_arguments.h"

namespace assay::msl {

std::optional<RefusedBraces> find_refused_braces(const clang::Diagnostic& diagnostic) {
  // Arguments: the type referred to, the value's type, what differs (1: the address space).
  if (diagnostic.getID() != clang::diag::err_reference_bind_drops_quals ||
      diagnostic.getNumArgs() < 3 || diagnostic.getRawArg(2) != 1) {
    return std::nullopt;
  }
  clang::QualType wanted = type_argument(diagnostic, 0);
  clang::QualType given = type_argument(diagnostic, 1);
  if (wanted.isNull() || given.isNull() || !given->isVoidType()) return std::nullopt;
  clang::PrintingPolicy policy{clang::LangOptions()};
  policy.SuppressTagKeyword = true;
  policy.Bool = true;
  std::string type = wanted.getCanonicalType().getUnqualifiedType().getAsString(policy);
  // Types without a name, such as those of lambdas, are spelled with their place in parentheses.
  if (type.find('(') != std::string::npos) return std::nullopt;
  return RefusedBraces{diagnostic.getLocation(), std::move(type)};
}

std::vector<BracedTemporary> locate_braces(const std::vector<RefusedBraces>& refused,
                                           const Tokens& tokens) {
  std::vector<BracedTemporary> braces;
  for (const RefusedBraces& place : refused) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (tokens[i].is(clang::tok::l_brace) && tokens[i].getLocation() == place.brace) {
        braces.push_back({i, place.type});
        break;
      }
    }
  }
  return braces;
}

}  // namespace assay::msl
