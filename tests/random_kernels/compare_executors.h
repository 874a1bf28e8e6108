// Runs kernels with both executors, and under checks on request, and compares every byte they
// write.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tests/random_kernels/kernel_generator.h"

namespace assay::testing {

struct Failure {
  size_t kernel = 0;  // which of the kernels; the first one when they do not compile
  std::string text;   // what happened, then the source that reproduces it
};

struct Comparison {
  std::vector<Failure> failures;
  std::vector<std::string> fallbacks;  // reasons why a kernel was not vectorised
};

struct CompareOptions {
  std::string cpu = {};  // an LLVM name; empty: this machine
  // Also runs checked code of both executors. Generated kernels are right in everything but
  // arithmetic: whatever checks say of them is a failure, too.
  bool checks = false;
};

// The kernels are compiled as one source.
Comparison compare_executors(std::span<const GeneratedKernel> kernels,
                             const CompareOptions& options);

}  // namespace assay::testing
