// Receives clang's diagnostics and turns them into assay's: Metal's words, the user's place, a fix.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <optional>
#include <vector>

#include "msl/bound_temporaries.h"
#include "msl/braced_temporaries.h"
#include "msl/diagnostic.h"
#include "msl/function_parameters.h"
#include "msl/half_casts.h"
#include "msl/left_out.h"
#include "msl/thread_operands.h"

namespace assay::msl {

class DiagnosticCollector final : public clang::DiagnosticConsumer {
 public:
  void BeginSourceFile(const clang::LangOptions& options,
                       const clang::Preprocessor* preprocessor) override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override;

  const std::vector<RefusedHalfCast>& refused_half_casts() const { return refused_half_casts_; }
  const std::vector<clang::SourceLocation>& bound_temporaries() const { return bound_temporaries_; }
  const RefusedOperands& refused_operands() const { return refused_operands_; }
  const std::vector<RefusedBraces>& refused_braces() const { return refused_braces_; }
  const std::vector<RefusedFunction>& refused_functions() const { return refused_functions_; }
  const std::vector<RefusedUse>& refused_uses() const { return refused_uses_.uses(); }

  // Ends the collection: adds the fixes, which may depend on the notes.
  std::vector<Diagnostic> take();

 private:
  std::vector<Diagnostic> diagnostics_;
  std::vector<RefusedHalfCast> refused_half_casts_;
  std::vector<clang::SourceLocation> bound_temporaries_;
  RefusedOperands refused_operands_;
  std::vector<RefusedBraces> refused_braces_;
  std::vector<RefusedFunction> refused_functions_;
  RefusedUses refused_uses_;
  std::optional<Diagnostic> unmatched_brace_;  // in the body of a kernel of metal_kernel
  const clang::LangOptions* options_ = nullptr;
  bool note_is_dropped_ = false;
};

}  // namespace assay::msl
