// half and bfloat in one operation: `h * b`, `h < b`, `c ? h : b`. Neither is more than the other;
// both become float in Metal. clang converts the bfloat to half, with code that nothing can build.
// The first run collects the places, the next one converts an operand to float there.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/SourceLocation.h>

#include <functional>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

// The operand that becomes a float, and the one beside it.
struct RefusedMix {
  clang::SourceRange operand;
  clang::SourceRange other;
};

// Indices of tokens of the preprocessed source.
struct MixedOperand {
  size_t first = 0;
  size_t last = 0;
  size_t other_first = 0;  // of the operand beside it
  size_t other_last = 0;
};

// Looks through every declaration of the source.
class MixedHalves final : public clang::ASTConsumer {
 public:
  // `report` is told of each place, for which it has to report an error.
  using Report = std::function<void(const RefusedMix&)>;
  explicit MixedHalves(Report report) : report_(std::move(report)) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override;

 private:
  Report report_;
};

// Finds the places among the source's tokens; leaves out those in headers that are not among them.
std::vector<MixedOperand> locate_mixed_operands(const std::vector<RefusedMix>& refused,
                                                const clang::SourceManager& sources,
                                                const Tokens& tokens);

}  // namespace assay::msl
