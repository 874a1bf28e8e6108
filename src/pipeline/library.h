// A compiled MSL source as the rest of assay passes it around: shared, immutable, with an identity.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "msl/compile.h"

namespace assay::pipeline {

class Library {
 public:
  explicit Library(msl::Library compiled, std::vector<msl::Diagnostic> diagnostics);

  const msl::Library& compiled() const { return compiled_; }
  // Warnings; a library with errors does not exist.
  const std::vector<msl::Diagnostic>& diagnostics() const { return diagnostics_; }
  // Unique in this process.
  uint64_t id() const { return id_; }

 private:
  const msl::Library compiled_;
  const std::vector<msl::Diagnostic> diagnostics_;
  const uint64_t id_;
};

// The error holds every message of the compiler, rendered with source lines and carets.
Result<std::shared_ptr<const Library>> compile_library(const msl::Source& source,
                                                       const msl::CompileOptions& options = {});

}  // namespace assay::pipeline
