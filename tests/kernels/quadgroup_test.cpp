// quad_* functions: the same operations over four neighbouring lanes, with partial last quads and
// in divergent branches.
#include <array>
#include <cstdint>
#include <functional>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr uint32_t kGroup = 70;  // 17 quads and one of two threads

struct Branch {
  const char* condition;  // on `lane` (in the quad) and `quad` (in the threadgroup), in MSL
  std::function<bool(uint32_t lane, uint32_t quad)> active;
};
const std::array<Branch, 3> kBranches = {{
    {"true", [](uint32_t, uint32_t) { return true; }},
    {"(lane != quad % 4)", [](uint32_t lane, uint32_t quad) { return lane != quad % 4; }},
    {"((lane + quad) % 2 == 0)",
     [](uint32_t lane, uint32_t quad) { return (lane + quad) % 2 == 0; }},
}};

using Quad = std::array<int64_t, 4>;  // thread of each lane, -1 where none is active

std::vector<Quad> quads_of(uint32_t n, const Branch& branch) {
  std::vector<Quad> all;
  for (uint32_t first = 0; first < n; first += kGroup) {
    const uint32_t size = std::min(kGroup, n - first);
    for (uint32_t t = 0; t < size; t += 4) {
      Quad& quad = all.emplace_back();
      for (uint32_t lane = 0; lane < 4; ++lane) {
        const bool is_there = t + lane < size && branch.active(lane, t / 4);
        quad[lane] = is_there ? int64_t{first} + t + lane : -1;
      }
    }
  }
  return all;
}

constexpr uint32_t kFields = 20;
const char* const kSource = R"(
kernel void k(const device T* in, device T* out, uint i [[thread_position_in_grid]],
              uint lane [[thread_index_in_quadgroup]],
              uint quad [[quadgroup_index_in_threadgroup]]) {
  device T* o = out + 20 * i;
  if (ACTIVE) {
    T v = in[2 * i], f = in[2 * i + 1];
    o[0] = quad_sum(v);
    o[1] = quad_product(v);
    o[2] = quad_min(v);
    o[3] = quad_max(v);
    o[4] = quad_prefix_inclusive_sum(v);
    o[5] = quad_prefix_exclusive_sum(v);
    o[6] = quad_prefix_inclusive_product(v);
    o[7] = quad_prefix_exclusive_product(v);
    o[8] = quad_shuffle(v, ushort(3 - lane));
    o[9] = quad_shuffle_up(v, 1);
    o[10] = quad_shuffle_down(v, 2);
    o[11] = quad_shuffle_xor(v, 3);
    o[12] = quad_shuffle_rotate_up(v, 1);
    o[13] = quad_shuffle_rotate_down(v, 1);
    o[14] = quad_shuffle_and_fill_up(v, f, 1);
    o[15] = quad_shuffle_and_fill_down(v, f, 3);
    o[16] = quad_broadcast(v, 1);
    o[17] = quad_broadcast_first(v);
    uint ballot = uint(quad_vote::vote_t(quad_ballot(v > T(1))));
    uint mask = uint(quad_vote::vote_t(quad_active_threads_mask()));
    o[18] = T(ballot * 4 + uint(quad_is_first()));
    o[19] = T(mask * 4 + uint(quad_all(lane > 0)) * 2 + uint(quad_any(lane == 2)));
  }
}
)";

struct Source {
  uint32_t lane;
  bool filling = false;
};

template <typename T>
void expect_quad(const Quad& quad, const std::vector<T>& in, std::vector<T>& out) {
  T sum(0), product(1), min(0), max(0);
  uint32_t mask = 0, ballot = 0;
  int64_t first = -1;
  for (uint32_t lane = 0; lane < 4; ++lane) {
    const int64_t i = quad[lane];
    if (i < 0) continue;
    const T v = in[static_cast<size_t>(2 * i)];
    T* o = &out[static_cast<size_t>(i) * kFields];
    min = first < 0 ? v : std::min(min, v);
    max = first < 0 ? v : std::max(max, v);
    first = first < 0 ? i : first;
    o[5] = sum;
    o[7] = product;
    o[4] = sum = static_cast<T>(sum + v);
    o[6] = product = static_cast<T>(product * v);
    mask |= 1U << lane;
    ballot |= v > T(1) ? 1U << lane : 0;
    const Source sources[] = {{3 - lane},
                              {lane < 1 ? lane : lane - 1},
                              {lane + 2 > 3 ? lane : lane + 2},
                              {lane ^ 3},
                              {(lane + 3) % 4},
                              {(lane + 1) % 4},
                              {(lane + 3) % 4, lane == 0},
                              {(lane + 3) % 4, lane > 0},
                              {1}};
    for (uint32_t s = 0; s < std::size(sources); ++s) {
      const int64_t other = quad[sources[s].lane] < 0 ? i : quad[sources[s].lane];
      o[8 + s] = in[static_cast<size_t>(2 * other) + (sources[s].filling ? 1 : 0)];
    }
    o[17] = in[static_cast<size_t>(2 * first)];
  }
  for (int64_t i : quad) {
    if (i < 0) continue;
    T* o = &out[static_cast<size_t>(i) * kFields];
    o[0] = sum;
    o[1] = product;
    o[2] = min;
    o[3] = max;
    o[18] = static_cast<T>(ballot * 4 + (i == first ? 1 : 0));
    o[19] = static_cast<T>(mask * 4 + ((mask & 1) == 0 ? 2 : 0) + ((mask & 4) != 0 ? 1 : 0));
  }
}

template <typename T>
void check(const char* type) {
  for (const Branch& branch : kBranches) {
    for (uint32_t n : {1U, 2U, 7U, 33U, 97U, 257U}) {
      std::vector<T> in(size_t{n} * 2);
      for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<T>(i * 5 % 7 + i % 3);
      std::vector<T> out(size_t{n} * kFields, T(99));
      std::vector<T> expected = out;
      run_kernel({.source = kSource,
                  .grid = {n, 1, 1},
                  .threadgroup = {kGroup, 1, 1},
                  .defines = {{"T", type}, {"ACTIVE", branch.condition}}},
                 {buffer(in), buffer(out)});
      for (const Quad& quad : quads_of(n, branch)) expect_quad(quad, in, expected);
      ASSERT_EQ(out, expected) << type << " " << branch.condition << " " << n;
    }
  }
}

TEST(Quadgroup, works_on_32_bit_types) {
  check<int32_t>("int");
  check<uint32_t>("uint");
  check<float>("float");
}
TEST(Quadgroup, works_on_small_types) {
  check<int8_t>("char");
  check<uint8_t>("uchar");
  check<int16_t>("short");
  check<uint16_t>("ushort");
  check<_Float16>("half");
}
TEST(Quadgroup, works_on_64_bit_integers) {
  check<int64_t>("long");
  check<uint64_t>("ulong");
}

TEST(Quadgroup, combines_bits_and_vectors) {
  constexpr uint32_t kThreads = 66;
  std::vector<uint32_t> out(kThreads * 7);
  run_kernel({.source = R"(
kernel void k(device uint* out, uint i [[thread_position_in_grid]]) {
  device uint* o = out + 7 * i;
  uint v = i * 2654435761u;
  o[0] = quad_and(v);
  o[1] = quad_or(v);
  o[2] = quad_xor(v);
  uint3 w = quad_sum(uint3(i, 1, v & 0xff));
  o[3] = w.x; o[4] = w.y; o[5] = w.z;
  o[6] = uint(quad_xor(ushort(i * 321)));
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {64, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    uint32_t expected[7] = {~0U, 0, 0, 0, 0, 0, 0};
    for (uint32_t j = i / 4 * 4; j < std::min(i / 4 * 4 + 4, kThreads); ++j) {
      const uint32_t v = j * 2654435761U;
      expected[0] &= v;
      expected[1] |= v;
      expected[2] ^= v;
      expected[3] += j;
      expected[4] += 1;
      expected[5] += v & 0xff;
      expected[6] ^= j * 321 & 0xffff;
    }
    for (uint32_t f = 0; f < 7; ++f) ASSERT_EQ(out[7 * i + f], expected[f]) << i << " " << f;
  }
}

TEST(Quadgroup, sums_lanes_that_are_still_in_a_loop) {
  constexpr uint32_t kThreads = 93;
  std::vector<uint32_t> out(kThreads);
  run_kernel({.source = R"(
kernel void k(device uint* out, uint i [[thread_position_in_grid]]) {
  uint r = 0;
  for (uint j = 0; j < i * 7 % 5; ++j) r = r * 3 + quad_sum(i + j);
  out[i] = r;
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    uint32_t r = 0;
    for (uint32_t j = 0; j < i * 7 % 5; ++j) {
      uint32_t sum = 0;
      for (uint32_t other = i / 4 * 4; other < std::min(i / 4 * 4 + 4, kThreads); ++other) {
        sum += j < other * 7 % 5 ? other + j : 0;
      }
      r = r * 3 + sum;
    }
    ASSERT_EQ(out[i], r) << i;
  }
}

}  // namespace
}  // namespace assay::testing
