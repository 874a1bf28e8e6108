// Threads that read and write elements a constant distance apart: what lies between must stay as it
// is, and what lies behind the last one may not exist.
#include <cstdint>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

// Copies element `step * i + shift` of x to the same place of y, for threads below `count`.
template <typename T>
void check_copy(const std::string& type, int step, uint32_t count, uint32_t threads) {
  const auto distance = static_cast<uint32_t>(std::abs(step));
  const uint32_t shift = step < 0 ? (count - 1) * distance : 0;
  const uint32_t size = (count - 1) * distance + 1;
  std::vector<T> x(size);
  for (uint32_t i = 0; i < size; ++i) x[i] = static_cast<T>(i * 7 + 3);
  std::vector<T> y(size, static_cast<T>(1));
  run_kernel({.source = "kernel void k(const device " + type + "* x, device " + type + R"(* y,
                       constant uint& count, constant uint& shift, uint i [[thread_position_in_grid]]) {
  if (i < count) y[STEP * int(i) + int(shift)] = x[STEP * int(i) + int(shift)];
})",
              .grid = {threads, 1, 1},
              .threadgroup = {64, 1, 1},
              .defines = {{"STEP", std::to_string(step)}}},
             {buffer(x), buffer(y), value(count), value(shift)});
  for (uint32_t i = 0; i < size; ++i) {
    const T right = i % distance == 0 ? x[i] : static_cast<T>(1);
    ASSERT_EQ(y[i], right) << type << " step " << step << " count " << count << " at " << i;
  }
}

TEST(StridedAccess, touches_only_the_elements_of_its_threads) {
  for (int step : {2, 3, 4, 5, 33, -1, -2, -5}) {
    for (uint32_t count : {1U, 31U, 64U, 97U}) {
      check_copy<uint8_t>("uchar", step, count, 128);
      check_copy<uint16_t>("ushort", step, count, 128);
      check_copy<float>("float", step, count, 128);
      check_copy<int64_t>("long", step, count, 128);
    }
  }
}

// 2 MiB end where nobody may read any more.
TEST(StridedAccess, reads_nothing_behind_the_last_element) {
  constexpr uint32_t kElements = (2 << 20) / sizeof(float);
  for (uint32_t step : {2U, 3U, 4U}) {
    std::vector<float> x(kElements);
    for (uint32_t i = 0; i < kElements; ++i) x[i] = static_cast<float>(i);
    const uint32_t count = kElements / step;
    const uint32_t shift = kElements - 1 - (count - 1) * step;  // the last thread's is the last
    std::vector<float> y(count);
    run_kernel({.source = R"(
kernel void k(const device float* x, device float* y, constant uint& shift,
              uint i [[thread_position_in_grid]]) {
  y[i] = x[STEP * i + shift];
})",
                .grid = {count, 1, 1},
                .threadgroup = {256, 1, 1},
                .defines = {{"STEP", std::to_string(step)}}},
               {buffer(x), buffer(y), value(shift)});
    for (uint32_t i = 0; i < count; ++i) ASSERT_EQ(y[i], static_cast<float>(step * i + shift));
  }
}

TEST(StridedAccess, handles_vectors_as_elements) {
  for (uint32_t count : kOddSizes) {
    std::vector<float> x(count * 4);
    for (uint32_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) + 0.5F;
    std::vector<float> y(count * 4);
    run_kernel({.source = R"(
kernel void k(const device float4* x, device float4* y, uint i [[thread_position_in_grid]]) {
  float4 v = x[i];
  y[i] = v.wzyx * 2.0f;
})",
                .grid = {count, 1, 1},
                .threadgroup = {96, 1, 1}},
               {buffer(x), buffer(y)});
    for (uint32_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], 2 * x[i / 4 * 4 + 3 - i % 4]) << i;
  }
}

TEST(StridedAccess, reads_columns_of_tiles) {
  constexpr uint32_t kSize = 32 * 3;
  std::vector<float> x(kSize * kSize);
  for (uint32_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  std::vector<float> y(x.size());
  run_kernel({.source = R"(
kernel void k(const device float* x, device float* y, constant uint& size,
              uint2 group [[threadgroup_position_in_grid]],
              uint2 at [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32][33];
  for (uint row = at.y; row < 32; row += 8)
    tile[row][at.x] = x[(group.y * 32 + row) * size + group.x * 32 + at.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint row = at.y; row < 32; row += 8)
    y[(group.x * 32 + row) * size + group.y * 32 + at.x] = tile[at.x][row];
})",
              .grid = {kSize, kSize / 4, 1},
              .threadgroup = {32, 8, 1}},
             {buffer(x), buffer(y), value(kSize)});
  for (uint32_t row = 0; row < kSize; ++row) {
    for (uint32_t column = 0; column < kSize; ++column) {
      ASSERT_EQ(y[column * kSize + row], x[row * kSize + column]) << row << ", " << column;
    }
  }
}

}  // namespace
}  // namespace assay::testing
