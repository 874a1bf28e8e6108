// A compiled MSL source as the rest of assay passes it around: shared, immutable, with an identity.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "kernel/kernel_origin.h"
#include "msl/compile.h"
#include "pipeline/kernel_cache.h"

namespace assay::pipeline {

// Thread-safe. One that came from the cache loads its larger parts when somebody asks for them.
class Library {
 public:
  using LoadBitcode = std::function<Result<std::string>()>;

  using OriginPtr = std::shared_ptr<const kernel::KernelOrigin>;

  // `origin`: what it was compiled from, without values of function constants.
  Library(msl::CompileResult compiled, OriginPtr origin);
  // From the cache; `load_bitcode` is called once, if ever.
  Library(LibraryRecord record, LoadBitcode load_bitcode, OriginPtr origin);

  const OriginPtr& origin() const { return origin_; }

  const msl::Reflection& compiled() const;
  // Those of compiled(), at no cost.
  const std::vector<kernel::FunctionConstant>& function_constants() const {
    return is_from_cache() ? record_.function_constants : reflection_.function_constants;
  }
  // Warnings; a library with errors does not exist.
  const std::vector<msl::Diagnostic>& diagnostics() const { return record_.diagnostics; }
  // Equal for libraries that are the same in every respect.
  const base::Hash128& content() const { return record_.content; }
  bool is_from_cache() const { return load_bitcode_ != nullptr; }

  // Valid as long as the library. Fails when it came from the cache, its code has gone from there
  // meanwhile and the source no longer compiles to the same.
  Result<std::string_view> bitcode() const;

  // What the cache has to keep to give this library again, beside the bitcode.
  LibraryRecord make_record() const;

 private:
  LibraryRecord record_;  // without what is in reflection_ unless it came from the cache
  const OriginPtr origin_;
  const LoadBitcode load_bitcode_;
  mutable std::once_flag reflection_once_;
  mutable msl::Reflection reflection_;
  mutable std::once_flag bitcode_once_;
  mutable Result<std::string> bitcode_;
};

// The error holds every message of the compiler, rendered with source lines and carets. A library
// that `cache` has is not compiled again, and a new one is kept there.
Result<std::shared_ptr<const Library>> compile_library(
    msl::Source source, const msl::CompileOptions& options = {},
    const std::shared_ptr<KernelCache>& cache = nullptr);

}  // namespace assay::pipeline
