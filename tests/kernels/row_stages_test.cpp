// Computations long enough to be cut into stages, over groups of every shape.
#include <cstdint>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr char kMix[] = R"(
uint mix(uint h, uint rounds) {
#pragma unroll
  for (uint r = 0; r < 14; ++r) {
    h ^= h >> 15;
    h *= 0x2c1b3c6du + r;
    h += rounds;
  }
  return h;
}
)";

uint32_t mix(uint32_t h, uint32_t rounds) {
  for (uint32_t r = 0; r < 14; ++r) {
    h ^= h >> 15;
    h *= 0x2c1b3c6dU + r;
    h += rounds;
  }
  return h;
}

constexpr uint32_t kWidths[] = {1, 31, 32, 33, 63, 64, 65, 96, 100, 127, 128, 160, 257};

TEST(RowStages, compute_every_thread_once_whatever_the_width_of_its_group) {
  for (uint32_t width : kWidths) {
    for (uint32_t count : {1U, 63U, 64U, 1'000U, 4'099U}) {
      std::vector<uint32_t> x(count);
      for (uint32_t i = 0; i < count; ++i) x[i] = i * 77;
      std::vector<uint32_t> y(count + 1, 5);
      run_kernel({.source = std::string(kMix) + R"(
kernel void k(const device uint* x, device uint* y, uint i [[thread_position_in_grid]]) {
  y[i] += mix(x[i], 3);
})",
                  .grid = {count, 1, 1},
                  .threadgroup = {width, 1, 1}},
                 {buffer(x), buffer(y)});
      for (uint32_t i = 0; i < count; ++i) {
        ASSERT_EQ(y[i], mix(i * 77, 3) + 5) << i << " of " << count << ", groups of " << width;
      }
      ASSERT_EQ(y[count], 5U);
    }
  }
}

TEST(RowStages, keep_threads_apart_that_branch) {
  constexpr uint32_t kCount = 4'099;
  for (uint32_t width : kWidths) {
    std::vector<uint32_t> x(kCount);
    for (uint32_t i = 0; i < kCount; ++i) x[i] = i * 2'003;
    std::vector<uint32_t> y(kCount, 9);
    run_kernel({.source = std::string(kMix) + R"(
kernel void k(const device uint* x, device uint* y,
              uint i [[thread_position_in_grid]], uint width [[threads_per_threadgroup]]) {
  uint h = mix(x[i], width);
  if (h & 1) h = mix(h, x[i] + 1) + width;
  if (h & 6) y[i] = h;
})",
                .grid = {kCount, 1, 1},
                .threadgroup = {width, 1, 1}},
               {buffer(x), buffer(y)});
    for (uint32_t i = 0; i < kCount; ++i) {
      uint32_t group = std::min(width, kCount - i / width * width);
      uint32_t h = mix(x[i], group);
      if (h & 1) h = mix(h, x[i] + 1) + group;
      ASSERT_EQ(y[i], (h & 6) != 0 ? h : 9) << i << ", groups of " << width;
    }
  }
}

TEST(RowStages, leave_out_threads_that_returned) {
  constexpr uint32_t kCount = 4'099;
  for (uint32_t width : kWidths) {
    for (uint32_t limit : {0U, 1U, 31U, 64U, 1'021U, kCount}) {
      std::vector<uint32_t> x(kCount);
      for (uint32_t i = 0; i < kCount; ++i) x[i] = i * 2'003;
      std::vector<uint32_t> y(kCount, 9);
      run_kernel({.source = std::string(kMix) + R"(
kernel void k(const device uint* x, device uint* y, constant uint& limit,
              uint i [[thread_position_in_grid]]) {
  if (i >= limit) return;
  uint h = mix(x[i], 1);
  if ((h & 0xff00) == 0) return;
  h = mix(h, 2);
  if (h % 3 == 0) return;
  y[i] = mix(h, x[i] + 3);
})",
                  .grid = {kCount, 1, 1},
                  .threadgroup = {width, 1, 1}},
                 {buffer(x), buffer(y), value(limit)});
      for (uint32_t i = 0; i < kCount; ++i) {
        uint32_t first = mix(i * 2'003, 1);
        uint32_t second = mix(first, 2);
        bool has_returned = i >= limit || (first & 0xff00) == 0 || second % 3 == 0;
        ASSERT_EQ(y[i], has_returned ? 9 : mix(second, i * 2'003 + 3))
            << i << " of " << limit << ", groups of " << width;
      }
    }
  }
}

TEST(RowStages, go_along_x_in_groups_of_three_dimensions) {
  constexpr uint32_t kX = 150, kY = 7, kZ = 5;
  for (uint32_t width : {5U, 64U, 70U, 150U}) {
    std::vector<uint32_t> y(kX * kY * kZ);
    run_kernel({.source = std::string(kMix) + R"(
kernel void k(device uint* y, uint3 i [[thread_position_in_grid]], uint3 size [[threads_per_grid]],
              uint inside [[thread_index_in_threadgroup]]) {
  y[(i.z * size.y + i.y) * size.x + i.x] = mix(i.x * 1000 + i.y * 10 + i.z, inside);
})",
                .grid = {kX, kY, kZ},
                .threadgroup = {width, 2, 3}},
               {buffer(y)});
    for (uint32_t at = 0; at < y.size(); ++at) {
      uint32_t x = at % kX;
      uint32_t row = at / kX % kY;
      uint32_t z = at / kX / kY;
      uint32_t columns = std::min(width, kX - x / width * width);
      uint32_t rows = std::min(2U, kY - row / 2 * 2);
      uint32_t inside = (z % 3 * rows + row % 2) * columns + x % width;
      ASSERT_EQ(y[at], mix(x * 1000 + row * 10 + z, inside)) << at << ", groups of " << width;
    }
  }
}

TEST(RowStages, write_a_shared_place_for_the_thread_that_asked) {
  std::vector<uint32_t> x(192);
  x[50] = 1;
  x[131] = 2;
  std::vector<uint32_t> y(2);
  run_kernel({.source = std::string(kMix) + R"(
kernel void k(const device uint* x, device uint* y, uint i [[thread_position_in_grid]]) {
  uint h = mix(i, 1);
  if (x[i] == 1) y[0] = h;
  if (x[i] == 2) y[1] = h + x[i];
})",
              .grid = {192, 1, 1},
              .threadgroup = {192, 1, 1}},
             {buffer(x), buffer(y)});
  EXPECT_EQ(y[0], mix(50, 1));
  EXPECT_EQ(y[1], mix(131, 1) + 2);
}

}  // namespace
}  // namespace assay::testing
