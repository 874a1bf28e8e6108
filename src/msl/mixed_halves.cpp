// See mixed_halves.h.
#include "msl/mixed_halves.h"

#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

#include <optional>
#include <unordered_map>

namespace assay::msl {
namespace {

bool converts_bfloat(const clang::Expr* operand) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(operand);
  return cast != nullptr && cast->getCastKind() == clang::CK_FloatingCast &&
         cast->getType()->isHalfType() && cast->getSubExpr()->getType()->isBFloat16Type();
}

class MixFinder : public clang::RecursiveASTVisitor<MixFinder> {
 public:
  explicit MixFinder(const MixedHalves::Report& report) : report_(report) {}

  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    look_at(operation->getLHS(), operation->getRHS());
    return true;
  }

  // b *= h: what is assigned to stays what it is.
  bool VisitCompoundAssignOperator(clang::CompoundAssignOperator* operation) {
    const bool converts_target = operation->getLHS()->getType()->isBFloat16Type() &&
                                 operation->getComputationLHSType()->isHalfType();
    if (converts_target) {
      report_({operation->getRHS()->getSourceRange(), operation->getLHS()->getSourceRange()});
    }
    return true;
  }

  bool VisitConditionalOperator(clang::ConditionalOperator* operation) {
    look_at(operation->getTrueExpr(), operation->getFalseExpr());
    return true;
  }

 private:
  void look_at(const clang::Expr* left, const clang::Expr* right) {
    if (converts_bfloat(left)) report_({left->getSourceRange(), right->getSourceRange()});
    if (converts_bfloat(right)) report_({right->getSourceRange(), left->getSourceRange()});
  }

  const MixedHalves::Report& report_;
};

class TokenPlaces {
 public:
  TokenPlaces(const Tokens& tokens, const clang::SourceManager& sources) : sources_(sources) {
    for (size_t i = 0; i < tokens.size(); ++i) {
      indices_.emplace(tokens[i].getLocation().getRawEncoding(), i);
    }
  }

  // What the token pass has put in front of an operand stands in an expansion at its first token.
  std::optional<size_t> find(clang::SourceLocation place) const {
    for (int depth = 0; depth < 4; ++depth) {
      auto found = indices_.find(place.getRawEncoding());
      if (found != indices_.end()) return found->second;
      if (!place.isMacroID()) return std::nullopt;
      place = sources_.getImmediateExpansionRange(place).getBegin();
    }
    return std::nullopt;
  }

 private:
  const clang::SourceManager& sources_;
  std::unordered_map<clang::SourceLocation::UIntTy, size_t> indices_;
};

}  // namespace

bool MixedHalves::HandleTopLevelDecl(clang::DeclGroupRef group) {
  MixFinder finder(report_);
  for (clang::Decl* declaration : group) finder.TraverseDecl(declaration);
  return true;
}

std::vector<MixedOperand> locate_mixed_operands(const std::vector<RefusedMix>& refused,
                                                const clang::SourceManager& sources,
                                                const Tokens& tokens) {
  std::vector<MixedOperand> operands;
  if (refused.empty()) return operands;
  const TokenPlaces places(tokens, sources);
  for (const RefusedMix& mix : refused) {
    auto first = places.find(mix.operand.getBegin());
    auto last = places.find(mix.operand.getEnd());
    auto other_first = places.find(mix.other.getBegin());
    auto other_last = places.find(mix.other.getEnd());
    if (!first || !last || !other_first || !other_last) continue;
    operands.push_back({*first, *last, *other_first, *other_last});
  }
  return operands;
}

}  // namespace assay::msl
