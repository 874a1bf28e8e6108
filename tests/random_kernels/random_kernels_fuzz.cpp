// The bytes decide what a kernel looks like; both executors must agree on what it does.
#include <cstddef>
#include <cstdint>

#include "base/ensure.h"
#include "tests/random_kernels/compare_executors.h"
#include "tests/random_kernels/kernel_generator.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay::testing;
  Choices choices(std::span(data, size));
  const GeneratedKernel kernel = generate_kernel(choices, 0);
  const Comparison comparison = compare_executors({&kernel, 1}, {.checks = true});
  ASSAY_ENSURE(comparison.failures.empty(), comparison.failures.front().text);
  return 0;
}
