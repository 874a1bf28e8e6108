// Kernels that begin with a test of their position: threads beyond the data return.
#include <cstdint>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr uint32_t kWidths[] = {1, 31, 32, 33, 64, 100, 256};

TEST(RowGuards, let_exactly_the_threads_with_data_go_on) {
  constexpr uint32_t kThreads = 1'031;
  for (uint32_t width : kWidths) {
    for (uint32_t limit : {0U, 1U, 31U, 32U, 33U, 640U, 1'000U, kThreads, 5'000U}) {
      std::vector<uint32_t> x(kThreads);
      for (uint32_t i = 0; i < kThreads; ++i) x[i] = i * 7;
      std::vector<uint32_t> y(kThreads, 9);
      run_kernel({.source = R"(
kernel void k(const device uint* x, device uint* y, constant uint& limit,
              uint i [[thread_position_in_grid]]) {
  if (i >= limit) return;
  y[i] += x[i];
})",
                  .grid = {kThreads, 1, 1},
                  .threadgroup = {width, 1, 1}},
                 {buffer(x), buffer(y), value(limit)});
      for (uint32_t i = 0; i < kThreads; ++i) {
        ASSERT_EQ(y[i], i < limit ? 9 + i * 7 : 9)
            << i << " of " << limit << ", groups of " << width;
      }
    }
  }
}

// Lanes part in the middle of rows, from both ends, and a value of the data decides behind that.
TEST(RowGuards, hold_for_several_sides_and_dimensions) {
  constexpr int32_t kX = 70, kY = 11;
  for (uint32_t width : {5U, 32U, 33U, 70U}) {
    std::vector<int32_t> x(kX * kY);
    for (int32_t i = 0; i < kX * kY; ++i) x[i] = i * 37 % 101 - 20;
    std::vector<int32_t> y(x.size(), -1);
    run_kernel({.source = R"(
kernel void k(const device int* x, device int* y, constant int2& size,
              uint2 position [[thread_position_in_grid]]) {
  int2 at = int2(position);
  if (at.x >= size.x || at.y >= size.y) return;
  if (at.x == 0 || at.y == 0 || at.x == size.x - 1 || at.y == size.y - 1) return;
  int here = at.y * size.x + at.x;
  int v = x[here];
  if (v < 0) return;
  y[here] = v + x[here - 1] + x[here + 1] + x[here - size.x] + x[here + size.x];
})",
                .grid = {96, 16, 1},
                .threadgroup = {width, 3, 1}},
               {buffer(x), buffer(y), value(std::array<int32_t, 2>{kX, kY})});
    for (int32_t at = 0; at < kX * kY; ++at) {
      int32_t column = at % kX;
      int32_t row = at / kX;
      bool is_inside = column > 0 && row > 0 && column < kX - 1 && row < kY - 1;
      int32_t wanted = -1;
      if (is_inside && x[at] >= 0) {
        wanted = x[at] + x[at - 1] + x[at + 1] + x[at - kX] + x[at + kX];
      }
      ASSERT_EQ(y[at], wanted) << column << ", " << row << ", groups of " << width;
    }
  }
}

TEST(RowGuards, keep_what_was_written_before_them) {
  constexpr uint32_t kThreads = 131;
  std::vector<uint32_t> counts(kThreads);
  std::vector<uint32_t> total(1);
  run_kernel({.source = R"(
kernel void k(device uint* counts, device atomic_uint* total, constant uint& limit,
              uint i [[thread_position_in_grid]]) {
  counts[i] += 1;
  atomic_fetch_add_explicit(total, 1, memory_order_relaxed);
  if (i >= limit) return;
  counts[i] += 10;
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kThreads, 1, 1}},
             {buffer(counts), buffer(total), value(uint32_t{50})});
  EXPECT_EQ(total[0], kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) ASSERT_EQ(counts[i], i < 50 ? 11 : 1) << i;
}

}  // namespace
}  // namespace assay::testing
