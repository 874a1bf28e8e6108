// What the kernel cache keeps, as payloads of cache entries: compiled libraries without their code,
// and kernel images. Written and read by the same build of assay only (see compiler_id.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "kernel/kernel_image.h"
#include "msl/compile.h"

namespace assay::pipeline {

// All of a compiled source but the bitcode, which is needed only to build further kernels.
struct LibraryRecord {
  base::Hash128 content;  // names the bitcode and the kernels built from it
  std::vector<kernel::FunctionConstant> function_constants;
  // encode() of the whole: large libraries have thousands of arguments, and a kernel that is in the
  // cache brings its own.
  std::string reflection;
  std::vector<msl::Diagnostic> diagnostics;
  std::vector<msl::FileUse> files;
};

std::string encode(const LibraryRecord& record);
std::string encode(const msl::Reflection& reflection);
std::string encode(const kernel::KernelImage& image);

// Nothing for bytes that encode() did not make; never a crash.
std::optional<LibraryRecord> decode_library(std::string_view payload);
std::optional<msl::Reflection> decode_reflection(std::string_view payload);
std::optional<kernel::KernelImage> decode_image(std::string_view payload);

}  // namespace assay::pipeline
