// Declarations that need what assay does not run, such as textures, beside kernels that do not. The
// first run collects what clang refuses, the next ones leave out the declarations in which that
// stands, and those that use them; the other kernels of the file do not need them.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

// An error of clang. The feature is empty if it is about something else than an unsupported one.
struct RefusedUse {
  clang::SourceLocation place;
  std::string feature;  // "textures (texture2d) are not supported by assay"
};

// Indices of tokens of the preprocessed source.
struct LeftOutDeclaration {
  size_t begin = 0;
  size_t end = 0;
  size_t cause = 0;  // where the feature, or another declaration that is left out, is used
  std::string name;
  std::string feature;
  bool is_kernel = false;
};

// Collects the errors.
class RefusedUses {
 public:
  // Takes every diagnostic in order, with its text: a note may say why there was an error. Returns
  // the feature that it names, or nothing.
  std::string look_at(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic,
                      std::string_view text);

  const std::vector<RefusedUse>& uses() const { return uses_; }

 private:
  std::vector<RefusedUse> uses_;
};

// `known` and the declarations in which these errors stand. Nothing if no kernel would be left.
std::optional<std::vector<LeftOutDeclaration>> find_left_out(const std::vector<RefusedUse>& refused,
                                                             const Tokens& tokens,
                                                             std::vector<LeftOutDeclaration> known);

class TokenRewriter;

// Goes behind the declaration that begins at the rewriter's position, if it is left out, and says
// so once for each kernel.
bool leave_out_declaration(TokenRewriter& rewriter);

}  // namespace assay::msl
