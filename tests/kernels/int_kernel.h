// Kernels from int to int in one call: for tests of the language, where only the values count.
#pragma once

#include <string>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {

// Runs the source at odd sizes over int inputs 3i-50 and compares with `reference(i, in)`.
template <typename Reference>
void check_ints(const std::string& source, Reference reference, const std::string& kernel = "k") {
  for (uint32_t n : {1U, 31U, 97U, 257U}) {
    std::vector<int32_t> in(n), out(n), expected(n);
    for (uint32_t i = 0; i < n; ++i) in[i] = static_cast<int32_t>(3 * i) - 50;
    for (uint32_t i = 0; i < n; ++i) expected[i] = reference(static_cast<int32_t>(i), in);
    run_kernel({.source = source, .kernel = kernel, .grid = {n, 1, 1}, .threadgroup = {40, 1, 1}},
               {buffer(in), buffer(out)});
    EXPECT_EQ(out, expected) << kernel << " at " << n;
  }
}

// The kernel `k` with the given body; `before` stands in front of it.
inline std::string kernel_body(const std::string& before, const std::string& body) {
  return before +
         "kernel void k(const device int* in [[buffer(0)]], device int* out [[buffer(1)]],\n"
         "              uint i [[thread_position_in_grid]]) {\n" +
         body + "}\n";
}

}  // namespace assay::testing
