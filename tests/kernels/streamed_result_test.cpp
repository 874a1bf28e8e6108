// Launches that write more than most caches hold, whose results may go around them.
#include <cstdint>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr uint32_t kElements = 10'000'019;

template <typename T>
std::vector<T> counting() {
  std::vector<T> values(kElements);
  for (uint32_t i = 0; i < kElements; ++i) values[i] = static_cast<T>(i * 3);
  return values;
}

TEST(StreamedResult, arrives_whole_at_any_alignment) {
  for (uint32_t shift : {0U, 5U}) {
    std::vector<float> x = counting<float>();
    std::vector<float> y(kElements + shift, -1.0F);
    run_kernel({.source = R"(
kernel void k(const device float* x, device float* y, constant uint& shift, constant uint& count,
              uint i [[thread_position_in_grid]]) {
  if (i >= count) return;
  y[i + shift] = x[i] + 1.0f;
})",
                .grid = {kElements + 77, 1, 1},
                .threadgroup = {256, 1, 1}},
               {buffer(x), buffer(y), value(shift), value(kElements)});
    for (uint32_t i = 0; i < shift; ++i) ASSERT_EQ(y[i], -1.0F);
    for (uint32_t i = 0; i < kElements; ++i) ASSERT_EQ(y[i + shift], x[i] + 1.0F) << i;
  }
}

TEST(StreamedResult, arrives_whole_for_narrow_and_wide_elements) {
  std::vector<uint16_t> narrow(kElements);
  std::vector<int64_t> wide(kElements);
  run_kernel({.source = R"(
kernel void k(device ushort* narrow, device long* wide, uint i [[thread_position_in_grid]]) {
  narrow[i] = ushort(i * 5);
  wide[i] = long(i) * -7;
})",
              .grid = {kElements, 1, 1},
              .threadgroup = {96, 1, 1}},
             {buffer(narrow), buffer(wide)});
  for (uint32_t i = 0; i < kElements; ++i) {
    ASSERT_EQ(narrow[i], static_cast<uint16_t>(i * 5)) << i;
    ASSERT_EQ(wide[i], int64_t{i} * -7) << i;
  }
}

}  // namespace
}  // namespace assay::testing
