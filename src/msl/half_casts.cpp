// See half_casts.h.
#include "msl/half_casts.h"

#include <clang/Basic/DiagnosticSema.h>

#include <unordered_map>

#include "msl/diagnostic_arguments.h"

namespace assay::msl {
std::optional<RefusedHalfCast> find_refused_half_cast(const clang::Diagnostic& diagnostic) {
  // Arguments: kind of cast, source type, target type. Ranges: the cast, the operand.
  if (diagnostic.getID() != clang::diag::err_bad_cxx_cast_generic || diagnostic.getNumArgs() < 3 ||
      diagnostic.getNumRanges() < 2) {
    return std::nullopt;
  }
  clang::QualType from = type_argument(diagnostic, 1);
  clang::QualType to = type_argument(diagnostic, 2);
  if (from.isNull() || to.isNull()) return std::nullopt;
  bool is_half_cast =
      (from->isHalfType() && to->isBFloat16Type()) || (from->isBFloat16Type() && to->isHalfType());
  if (!is_half_cast) return std::nullopt;
  const clang::CharSourceRange& operand = diagnostic.getRange(1);
  return RefusedHalfCast{diagnostic.getRange(0).getBegin(), operand.getBegin(), operand.getEnd()};
}

std::vector<HalfCast> locate_half_casts(const std::vector<RefusedHalfCast>& refused,
                                        const Tokens& tokens) {
  std::vector<HalfCast> casts;
  if (refused.empty()) return casts;
  std::unordered_map<clang::SourceLocation::UIntTy, size_t> index_at;
  for (size_t i = 0; i < tokens.size(); ++i) {
    index_at.emplace(tokens[i].getLocation().getRawEncoding(), i);
  }
  for (const RefusedHalfCast& place : refused) {
    auto cast = index_at.find(place.cast.getRawEncoding());
    auto operand = index_at.find(place.operand.getRawEncoding());
    auto last = index_at.find(place.operand_last.getRawEncoding());
    if (cast == index_at.end() || operand == index_at.end() || last == index_at.end()) continue;
    casts.push_back({cast->second, operand->second, last->second});
  }
  return casts;
}

}  // namespace assay::msl
