// The MSL compiler: text in; IR, argument tables and diagnostics out. Knows no arrays, no devices.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel/kernel_info.h"
#include "msl/diagnostic.h"
#include "msl/file_use.h"
#include "msl/language.h"

namespace assay::msl {

struct Source {
  std::string name;  // path of the file, for messages and for includes relative to it
  std::string text;
};

// Bounds on one compilation. Passing one is an error with its own message, never a hang.
struct CompileLimits {
  double seconds = 120;                // of processor time, and of waiting for files
  uint64_t tokens = 40'000'000;        // after macro expansion, headers included
  uint64_t memory_bytes = 3ULL << 30;  // growth of the process while compiling
};

// What the IR says about the source it comes from.
enum class DebugInfo : uint8_t {
  kNone,
  kLines,  // for findings of checked builds
  kFull,   // functions, variables and types as well, for debuggers
};

struct CompileOptions {
  std::vector<std::string> include_folders;
  std::vector<std::pair<std::string, std::string>> defines;
  MathMode math_mode = MathMode::kSafe;
  // Finds out which buffers a kernel reads and writes (Argument::access); costs some time.
  bool analyse_access = true;
  // Takes `double`, which MSL does not have: for kernels that assay writes itself. Literals stay
  // float.
  bool allow_double = false;
  DebugInfo debug_info = DebugInfo::kNone;
  CompileLimits limits;
};

// What a compiled source tells about itself.
struct Reflection {
  std::vector<kernel::KernelInfo> kernels;
  std::vector<kernel::FunctionConstant> function_constants;

  const kernel::KernelInfo* find_kernel(std::string_view name) const;
};

// A compiled source file. The IR is kept as bitcode so that it can be shared by threads and stored.
struct Library : Reflection {
  std::string bitcode;
};

struct CompileResult {
  std::optional<Library> library;  // empty when there are errors
  std::vector<Diagnostic> diagnostics;
  // What the result depends on beside the source's own text and the options.
  std::vector<FileUse> files;
  // __DATE__ or the like: no two compilations need to be the same.
  bool uses_clock = false;
};

// Safe to call from many threads at once.
CompileResult compile(const Source& source, const CompileOptions& options);

// The standard library in clang's precompiled form, made when assay is built.
std::string precompile_standard_library(std::string& error);

}  // namespace assay::msl
