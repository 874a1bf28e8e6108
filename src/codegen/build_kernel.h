// From library bitcode to a kernel image for the CPU: the one entry point of codegen. Knows neither
// the front end nor devices; everything it needs comes in as plain data.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "kernel/kernel_image.h"
#include "kernel/kernel_info.h"

namespace assay::codegen {

// The host's value of one function constant, as the bytes the kernel will see.
struct ConstantValue {
  uint32_t index = 0;
  std::string name;  // when set, decides which constant is meant; otherwise `index` does
  std::vector<uint8_t> bytes;
};

struct BuildOptions {
  // What kVector cannot take is built for kReference; the image says why.
  kernel::Executor executor = kernel::Executor::kVector;
  unsigned optimisation = 2;  // 0 to 3, as -O0 … -O3
  std::string cpu;            // LLVM's name, for example "x86-64-v3"; empty: this machine
  std::string features;       // further "+avx2,-fma"-like features; only with `cpu`
  // Code that tells a GroupChecker (kernel/checks.h) of accesses and barriers. The bitcode must
  // have lines (msl::DebugInfo::kLines) for findings to have places.
  bool checked = false;
  // Code for debuggers: lines, and variables that keep their memory. Wants bitcode that has them
  // (msl::DebugInfo::kFull), kReference and optimisation 0; without effect on checked builds.
  bool debug = false;
  bool keep_ir = false;  // fill BuildOutput::ir
  bool emit_assembly = false;
  bool verify = false;  // check the IR after every pass; a failure is an internal error
  // Both limits end a build with an error instead of a hang. The clock is looked at between passes
  // and counts processor time.
  double time_limit_s = 60;
  uint64_t instruction_limit = 400'000;
  // Where code for 32 threads at once is longer, one thread runs at a time: LLVM's code generator
  // takes about a millisecond for each instruction of it, and cannot be stopped on the way.
  uint64_t vector_instruction_limit = 60'000;
};

struct PassTiming {
  std::string name;
  double seconds = 0;
};

struct BuildOutput {
  kernel::KernelImage image;
  std::string ir;  // after all passes and optimisation
  std::string assembly;
  std::vector<PassTiming> timings;  // in the order of the pipeline
};

// Builds the kernel `info` of the library in `bitcode` (codegen/intrinsics.h says what its IR may
// use). Only functions the kernel reaches are read. Thread-safe: every call has an LLVM context of
// its own.
//
// In the image's KernelInfo static_threadgroup_bytes is final, and an argument whose `present_if`
// constant is true has `present_if` removed: it exists now and must be bound.
Result<BuildOutput> build_cpu_kernel(std::string_view bitcode, const kernel::KernelInfo& info,
                                     std::span<const kernel::FunctionConstant> constants,
                                     std::span<const ConstantValue> values,
                                     const BuildOptions& options);

// What code built with `options` may use, as in KernelImage::target_cpu. Starts no code generator:
// caches ask this for every kernel.
std::string describe_target(const BuildOptions& options);

}  // namespace assay::codegen
