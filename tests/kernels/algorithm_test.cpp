// Whole kernels of the kinds that public code has: reductions, softmax, norms, scans, sorts, tiles,
// stencils, top-k; each against a plain loop.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

uint32_t mix(uint32_t i) { return ((i + 1) * 2654435761U) >> 5; }

std::vector<float> floats(size_t n, uint32_t seed) {
  std::vector<float> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] =
        static_cast<float>(mix(static_cast<uint32_t>(i) + seed * 977) % 1999) / 250.0F - 4.0F;
  }
  return values;
}

TEST(Algorithm, reduces_with_a_tree_in_threadgroup_memory) {
  for (uint32_t n : kOddSizes) {
    std::vector<uint32_t> in(n);
    for (uint32_t i = 0; i < n; ++i) in[i] = mix(i);
    const uint32_t groups = (n + 127) / 128;
    std::vector<uint32_t> out(groups);
    run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, constant uint& n,
              threadgroup uint* sums [[threadgroup(0)]],
              uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]], uint size [[threads_per_threadgroup]]) {
  sums[t] = i < n ? in[i] : 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint s = size / 2; s > 0; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) out[g] = sums[0];
})",
                .grid = {groups * 128, 1, 1},
                .threadgroup = {128, 1, 1}},
               {buffer(in), buffer(out), value(n), threadgroup_memory(512)});
    for (uint32_t g = 0; g < groups; ++g) {
      const auto end = in.begin() + std::min(n, (g + 1) * 128);
      ASSERT_EQ(out[g], std::accumulate(in.begin() + g * 128, end, 0U)) << n << " " << g;
    }
  }
}

TEST(Algorithm, computes_row_softmax) {
  for (uint32_t columns : {1U, 31U, 97U, 1031U}) {
    constexpr uint32_t kRows = 5;
    std::vector<float> in = floats(size_t{kRows} * columns, 1);
    std::vector<float> out(in.size());
    run_kernel({.source = R"(
template <typename Op>
float reduce(float v, float neutral, threadgroup float* partial, uint lane, uint simdgroup,
             uint simdgroups, Op op) {
  v = op(v);
  if (lane == 0) partial[simdgroup] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  v = op(lane < simdgroups ? partial[lane] : neutral);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  return v;
}
struct Max { float operator()(float v) const { return simd_max(v); } };
struct Sum { float operator()(float v) const { return simd_sum(v); } };
kernel void k(const device float* in, device float* out, constant uint& columns,
              uint row [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]],
              uint threads [[threads_per_threadgroup]], uint lane [[thread_index_in_simdgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]],
              uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup float partial[32];
  const device float* x = in + row * columns;
  float top = -INFINITY;
  for (uint c = t; c < columns; c += threads) top = max(top, x[c]);
  top = reduce(top, -INFINITY, partial, lane, simdgroup, simdgroups, Max());
  float sum = 0;
  for (uint c = t; c < columns; c += threads) sum += exp(x[c] - top);
  sum = reduce(sum, 0.0f, partial, lane, simdgroup, simdgroups, Sum());
  for (uint c = t; c < columns; c += threads) out[row * columns + c] = exp(x[c] - top) / sum;
})",
                .grid = {kRows * 96, 1, 1},
                .threadgroup = {96, 1, 1}},
               {buffer(in), buffer(out), value(columns)});
    for (uint32_t r = 0; r < kRows; ++r) {
      const float* x = &in[size_t{r} * columns];
      const double top = *std::max_element(x, x + columns);
      double sum = 0;
      for (uint32_t c = 0; c < columns; ++c) sum += std::exp(x[c] - top);
      for (uint32_t c = 0; c < columns; ++c) {
        const double expected = std::exp(x[c] - top) / sum;
        ASSERT_NEAR(out[size_t{r} * columns + c], expected, expected * 3e-6) << columns << " " << c;
      }
    }
  }
}

TEST(Algorithm, computes_rms_norm_in_half) {
  for (uint32_t columns : {1U, 33U, 255U, 512U}) {
    constexpr uint32_t kRows = 7;
    std::vector<float> wide = floats(size_t{kRows} * columns, 2);
    std::vector<_Float16> in(wide.begin(), wide.end());
    std::vector<float> weight = floats(columns, 3);
    std::vector<_Float16> out(in.size());
    run_kernel({.source = R"(
kernel void k(const device half* in, const device float* weight, device half* out,
              constant uint& columns, constant float& eps,
              uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]],
              uint t [[thread_position_in_threadgroup]]) {
  threadgroup float partial[32];
  threadgroup float scale;
  float sum = 0;
  for (uint c = t; c < columns; c += 64) { float v = float(in[row * columns + c]); sum += v * v; }
  sum = simd_sum(sum);
  if (simdgroup == 0) partial[lane] = 0;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (lane == 0) partial[simdgroup] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup == 0) {
    sum = simd_sum(partial[lane]);
    if (lane == 0) scale = precise::rsqrt(sum / columns + eps);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint c = t; c < columns; c += 64)
    out[row * columns + c] = half(weight[c] * float(in[row * columns + c]) * scale);
})",
                .grid = {kRows * 64, 1, 1},
                .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(weight), buffer(out), value(columns), value(1e-5F)});
    for (uint32_t i = 0; i < kRows * columns; ++i) {
      double sum = 0;
      for (uint32_t c = 0; c < columns; ++c) {
        const double v = static_cast<float>(in[size_t{i / columns} * columns + c]);
        sum += v * v;
      }
      const double expected = weight[i % columns] * static_cast<double>(static_cast<float>(in[i])) /
                              std::sqrt(sum / columns + 1e-5);
      // One half rounding, 2^-11 relative, and float noise.
      ASSERT_NEAR(static_cast<float>(out[i]), expected, std::abs(expected) * 5.2e-4 + 1e-6) << i;
    }
  }
}

TEST(Algorithm, scans_a_group_through_its_simdgroups) {
  constexpr uint32_t kGroup = 256;
  for (uint32_t n : kOddSizes) {
    std::vector<uint32_t> in(n);
    for (uint32_t i = 0; i < n; ++i) in[i] = mix(i);
    std::vector<uint32_t> out(n);
    run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint lane [[thread_index_in_simdgroup]], uint size [[threads_per_threadgroup]],
              uint t [[thread_index_in_threadgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint totals[32];
  uint v = simd_prefix_inclusive_sum(in[i]);
  if (lane == 31 || t == size - 1) totals[simdgroup] = v;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (simdgroup == 0) {
    uint total = lane < (size + 31) / 32 ? totals[lane] : 0;
    uint before = simd_prefix_exclusive_sum(total);
    totals[lane] = before;
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = v + totals[simdgroup];
})",
                .grid = {n, 1, 1},
                .threadgroup = {kGroup, 1, 1}},
               {buffer(in), buffer(out)});
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; ++i) {
      sum = i % kGroup == 0 ? in[i] : sum + in[i];
      ASSERT_EQ(out[i], sum) << n << " " << i;
    }
  }
}

TEST(Algorithm, sorts_blocks_bitonically) {
  for (uint32_t n : kOddSizes) {
    std::vector<float> values = floats(n, n);
    std::vector<float> expected = values;
    for (uint32_t first = 0; first < n; first += 512) {
      std::sort(expected.begin() + first, expected.begin() + std::min(n, first + 512));
    }
    const uint32_t groups = (n + 511) / 512;
    run_kernel({.source = R"(
kernel void k(device float* values, constant uint& n, uint t [[thread_index_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]]) {
  threadgroup float block[512];
  for (uint j = t; j < 512; j += 256) block[j] = g * 512 + j < n ? values[g * 512 + j] : INFINITY;
  for (uint size = 2; size <= 512; size *= 2) {
    for (uint stride = size / 2; stride > 0; stride /= 2) {
      threadgroup_barrier(mem_flags::mem_threadgroup);
      uint low = (t / stride) * stride * 2 + t % stride;
      bool up = (low & size) == 0;
      float a = block[low], b = block[low + stride];
      if ((a > b) == up) { block[low] = b; block[low + stride] = a; }
    }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint j = t; j < 512; j += 256) if (g * 512 + j < n) values[g * 512 + j] = block[j];
})",
                .grid = {groups * 256, 1, 1},
                .threadgroup = {256, 1, 1}},
               {buffer(values), value(n)});
    ASSERT_EQ(values, expected) << n;
  }
}

TEST(Algorithm, transposes_in_tiles) {
  for (auto [width, height] : {std::array{1U, 1U}, {33U, 31U}, {70U, 97U}}) {
    std::vector<float> in = floats(size_t{width} * height, 4);
    std::vector<float> out(in.size());
    run_kernel({.source = R"(
kernel void k(const device float* in, device float* out, constant uint2& size,
              uint2 group [[threadgroup_position_in_grid]],
              uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[32][33];
  for (uint r = t.y; r < 32; r += 8) {
    uint2 p = group * 32 + uint2(t.x, r);
    if (all(p < size)) tile[r][t.x] = in[p.y * size.x + p.x];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint r = t.y; r < 32; r += 8) {
    uint2 p = group.yx * 32 + uint2(t.x, r);
    if (all(p < size.yx)) out[p.y * size.y + p.x] = tile[t.x][r];
  }
})",
                .grid = {(width + 31) / 32 * 32, (height + 31) / 32 * 8, 1},
                .threadgroup = {32, 8, 1}},
               {buffer(in), buffer(out), value(std::array<uint32_t, 2>{width, height})});
    for (uint32_t y = 0; y < height; ++y) {
      for (uint32_t x = 0; x < width; ++x) ASSERT_EQ(out[x * height + y], in[y * width + x]);
    }
  }
}

TEST(Algorithm, applies_a_stencil_with_a_halo) {
  constexpr int kWidth = 45;
  constexpr int kHeight = 23;
  std::vector<int32_t> in(kWidth * kHeight);
  for (uint32_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(mix(i) % 1000) - 500;
  std::vector<int32_t> out(in.size());
  run_kernel({.source = R"(
kernel void k(const device int* in, device int* out, constant int2& size,
              uint2 p [[thread_position_in_grid]], uint2 t [[thread_position_in_threadgroup]],
              uint2 group [[threadgroup_position_in_grid]],
              ushort2 threads [[threads_per_threadgroup]], uint index [[thread_index_in_threadgroup]]) {
  threadgroup int tile[10][18];
  int2 corner = int2(group) * int2(16, 8) - 1;
  for (uint e = index; e < 180; e += uint(threads.x) * threads.y) {
    int2 q = clamp(corner + int2(e % 18, e / 18), int2(0), size - 1);
    tile[e / 18][e % 18] = in[q.y * size.x + q.x];
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  int sum = 0;
  for (int dy = 0; dy < 3; ++dy)
    for (int dx = 0; dx < 3; ++dx) sum += tile[t.y + dy][t.x + dx] * (dx + 3 * dy - 2);
  out[p.y * uint(size.x) + p.x] = sum;
})",
              .grid = {kWidth, kHeight, 1},
              .threadgroup = {16, 8, 1}},
             {buffer(in), buffer(out), value(std::array<int32_t, 2>{kWidth, kHeight})});
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      int sum = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int sx = std::clamp(x + dx, 0, kWidth - 1), sy = std::clamp(y + dy, 0, kHeight - 1);
          sum += in[sy * kWidth + sx] * (dx + 1 + 3 * (dy + 1) - 2);
        }
      }
      ASSERT_EQ(out[y * kWidth + x], sum) << x << ", " << y;
    }
  }
}

TEST(Algorithm, multiplies_matrices_in_scalar_tiles) {
  constexpr uint32_t kM = 37, kN = 29, kK = 41;
  std::vector<int32_t> a(kM * kK), b(kK * kN), c(kM * kN, -1);
  for (uint32_t i = 0; i < a.size(); ++i) a[i] = static_cast<int>(mix(i) % 19) - 9;
  for (uint32_t i = 0; i < b.size(); ++i) b[i] = static_cast<int>(mix(i + 7) % 23) - 11;
  run_kernel({.source = R"(
kernel void k(const device int* a, const device int* b, device int* c, constant uint3& mnk,
              uint2 p [[thread_position_in_grid]], uint2 t [[thread_position_in_threadgroup]]) {
  constexpr uint TILE = 8;
  threadgroup int ta[TILE][TILE], tb[TILE][TILE];
  int acc = 0;
  for (uint k0 = 0; k0 < mnk.z; k0 += TILE) {
    ta[t.y][t.x] = p.y < mnk.x && k0 + t.x < mnk.z ? a[p.y * mnk.z + k0 + t.x] : 0;
    tb[t.y][t.x] = k0 + t.y < mnk.z && p.x < mnk.y ? b[(k0 + t.y) * mnk.y + p.x] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    for (uint j = 0; j < TILE; ++j) acc += ta[t.y][j] * tb[j][t.x];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (p.x < mnk.y && p.y < mnk.x) c[p.y * mnk.y + p.x] = acc;
})",
              .grid = {(kN + 7) / 8 * 8, (kM + 7) / 8 * 8, 1},
              .threadgroup = {8, 8, 1}},
             {buffer(a), buffer(b), buffer(c), value(std::array<uint32_t, 4>{kM, kN, kK, 0})});
  for (uint32_t i = 0; i < kM * kN; ++i) {
    int sum = 0;
    for (uint32_t j = 0; j < kK; ++j) sum += a[i / kN * kK + j] * b[j * kN + i % kN];
    ASSERT_EQ(c[i], sum) << i;
  }
}

TEST(Algorithm, finds_the_top_k_of_each_row) {
  constexpr uint32_t kRows = 6;
  constexpr uint32_t kTop = 4;
  for (uint32_t columns : {7U, 33U, 257U}) {
    std::vector<float> in = floats(size_t{kRows} * columns, 6);
    std::vector<uint32_t> out(kRows * kTop);
    run_kernel({.source = R"(
kernel void k(const device float* in, device uint* out, constant uint& columns,
              uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  const device float* x = in + row * columns;
  uint taken[4];
  for (uint round = 0; round < 4; ++round) {
    float best = -INFINITY;
    uint at = UINT_MAX;
    for (uint c = lane; c < columns; c += 32) {
      bool used = false;
      for (uint r = 0; r < round; ++r) used = used || taken[r] == c;
      if (!used && x[c] > best) { best = x[c]; at = c; }
    }
    for (ushort offset = 16; offset > 0; offset /= 2) {
      float other = simd_shuffle_down(best, offset);
      uint other_at = simd_shuffle_down(at, offset);
      if (other > best || (other == best && other_at < at)) { best = other; at = other_at; }
    }
    taken[round] = simd_broadcast_first(at);
    if (lane == 0) out[row * 4 + round] = at;
  }
})",
                .grid = {kRows * 32, 1, 1},
                .threadgroup = {32, 1, 1}},
               {buffer(in), buffer(out), value(columns)});
    for (uint32_t r = 0; r < kRows; ++r) {
      std::vector<uint32_t> order(columns);
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::sort(order, {}, [&](uint32_t column) {
        return std::pair(-in[size_t{r} * columns + column], column);
      });
      for (uint32_t j = 0; j < kTop; ++j)
        ASSERT_EQ(out[r * kTop + j], order[j]) << columns << " " << r;
    }
  }
}

TEST(Algorithm, does_a_stable_radix_sort_pass) {
  // One group, 4-bit digits: count, exclusive scan of the counts, stable scatter.
  for (uint32_t n : {1U, 31U, 97U, 256U}) {
    std::vector<uint32_t> keys(n), out(n, 0);
    for (uint32_t i = 0; i < n; ++i) keys[i] = mix(i);
    run_kernel({.source = R"(
kernel void k(const device uint* keys, device uint* out, constant uint& shift,
              uint i [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]],
              uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup uint counts[16][8];
  uint digit = (keys[i] >> shift) & 15;
  uint rank = 0;
  for (uint d = 0; d < 16; ++d) {
    uint mask = uint(simd_vote::vote_t(simd_ballot(digit == d)));
    if (digit == d) rank = popcount(mask & ((1u << lane) - 1));
    if (lane == 0) counts[d][simdgroup] = popcount(mask);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i == 0) {
    uint sum = 0;
    for (uint d = 0; d < 16; ++d)
      for (uint s = 0; s < simdgroups; ++s) { uint c = counts[d][s]; counts[d][s] = sum; sum += c; }
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[counts[digit][simdgroup] + rank] = keys[i];
})",
                .grid = {n, 1, 1},
                .threadgroup = {256, 1, 1}},
               {buffer(keys), buffer(out), value(8U)});
    std::vector<uint32_t> sorted;
    for (uint32_t digit = 0; digit < 16; ++digit) {
      std::ranges::copy_if(keys, std::back_inserter(sorted),
                           [&](uint32_t key) { return (key >> 8 & 15) == digit; });
    }
    ASSERT_EQ(out, sorted) << n;
  }
}

}  // namespace
}  // namespace assay::testing
