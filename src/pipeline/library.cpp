// See library.h.
#include "pipeline/library.h"

#include <atomic>

namespace assay::pipeline {
namespace {

uint64_t next_library_id() {
  static std::atomic<uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

Library::Library(msl::Library compiled, std::vector<msl::Diagnostic> diagnostics)
    : compiled_(std::move(compiled)),
      diagnostics_(std::move(diagnostics)),
      id_(next_library_id()) {}

Result<std::shared_ptr<const Library>> compile_library(const msl::Source& source,
                                                       const msl::CompileOptions& options) {
  msl::CompileResult result = msl::compile(source, options);
  if (!result.library) return Error{msl::render(result.diagnostics)};
  return std::shared_ptr<const Library>(
      std::make_shared<Library>(std::move(*result.library), std::move(result.diagnostics)));
}

}  // namespace assay::pipeline
