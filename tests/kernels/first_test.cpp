// The smallest kernels: positions, buffers, constants.
#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

TEST(Kernel, adds_scaled_vectors_at_odd_sizes) {
  for (uint32_t n : kOddSizes) {
    std::vector<float> x(n), y(n);
    for (uint32_t i = 0; i < n; ++i) {
      x[i] = static_cast<float>(i) * 0.5F;
      y[i] = 1000.0F - static_cast<float>(i);
    }
    std::vector<float> expected(n);
    for (uint32_t i = 0; i < n; ++i) expected[i] = y[i] + 3.0F * x[i];
    run_kernel(
        {.source = "kernel void k(const device float* x, device float* y, constant float& a,\n"
                   "              uint i [[thread_position_in_grid]]) { y[i] += a * x[i]; }",
         .grid = {n, 1, 1},
         .threadgroup = {64, 1, 1}},
        {buffer(x), buffer(y), value(3.0F)});
    EXPECT_EQ(y, expected) << n;
  }
}

}  // namespace
}  // namespace assay::testing
