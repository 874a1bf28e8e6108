// The keys of everything that is kept, in memory and on disk: equal keys mean that one result
// serves for the other. All that has an influence on a result goes in here and nowhere else.
#pragma once

#include <span>
#include <string_view>

#include "base/hash.h"
#include "codegen/build_kernel.h"
#include "msl/compile.h"

namespace assay::pipeline {

// Of a compilation before it has run. The files it will read are not known yet: whoever keeps the
// result has to keep and compare CompileResult::files, too.
base::Hash128 source_key(const msl::Source& source, const msl::CompileOptions& options);

// Of what a compilation gave: two sources with the same IR and reflection are the same library.
base::Hash128 content_key(const msl::Reflection& reflection, std::string_view bitcode);

// What a kernel is built for; the same for all kernels of one device.
base::Hash128 target_key(const codegen::BuildOptions& options);

struct KernelRequest {
  base::Hash128 library;  // content_key()
  base::Hash128 target;   // target_key()
  std::string_view kernel;
  std::span<const codegen::ConstantValue> constants;  // in any order
};
base::Hash128 kernel_key(const KernelRequest& request);

}  // namespace assay::pipeline
