// Receives clang's diagnostics and turns them into assay's: Metal's words, the user's place, a fix.
#pragma once

#include <clang/Basic/Diagnostic.h>

#include <vector>

#include "msl/diagnostic.h"

namespace assay::msl {

class DiagnosticCollector final : public clang::DiagnosticConsumer {
 public:
  void BeginSourceFile(const clang::LangOptions& options,
                       const clang::Preprocessor* preprocessor) override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override;

  // Ends the collection: adds the fixes, which may depend on the notes.
  std::vector<Diagnostic> take();

 private:
  std::vector<Diagnostic> diagnostics_;
  const clang::LangOptions* options_ = nullptr;
  bool note_is_dropped_ = false;
};

}  // namespace assay::msl
