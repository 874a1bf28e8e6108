// Random MSL kernels whose results Metal defines: no data race, no access out of bounds, no
// undefined operation, and an end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/dispatch.h"
#include "tests/random_kernels/choices.h"
#include "tests/random_kernels/statements.h"

namespace assay::testing {

struct GeneratedKernel {
  std::string name;
  std::string source;  // helper functions and the kernel; kernel_prelude() has to stand before it
  std::vector<std::string> constants;  // values of the function constants, in order of their index
  std::vector<kernel::LaunchSize> launches;
  uint64_t data_seed = 0;  // of buffer contents
  OutputRegions regions;
};

// Largest number of threads in a group.
inline constexpr uint32_t kMaxGroupThreads = 160;

// Types and functions that all generated kernels share.
std::string kernel_prelude();

// Kernel `k<number>` with this body, over the same arguments as generated ones.
std::string write_kernel(uint32_t number, const std::string& body);

// `number` makes names unique, so that kernels can share one source.
GeneratedKernel generate_kernel(Choices& choices, uint32_t number);

}  // namespace assay::testing
