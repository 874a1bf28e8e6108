// simd_* functions for every element type: reductions, prefix sums, shuffles and votes, over whole
// and partial simdgroups and over the active lanes of a branch. Loops are in
// simdgroup_divergence_test.
#include <array>
#include <cstdint>
#include <functional>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr uint32_t kGroup = 80;  // simdgroups of 32, 32 and 16 threads

struct Branch {
  const char* condition;  // on `lane`, in MSL
  std::function<bool(uint32_t)> active;
};
const std::array<Branch, 3> kBranches = {{
    {"true", [](uint32_t) { return true; }},
    {"(lane % 3 != 1)", [](uint32_t lane) { return lane % 3 != 1; }},
    {"(lane > 2 && lane < 17)", [](uint32_t lane) { return lane > 2 && lane < 17; }},
}};

// The threads of a simdgroup that take the branch, by lane.
struct Simdgroup {
  std::array<int64_t, 32> thread;  // -1 where no thread is active
};
std::vector<Simdgroup> simdgroups_of(uint32_t n, const Branch& branch) {
  std::vector<Simdgroup> all;
  for (uint32_t first = 0; first < n; first += kGroup) {
    const uint32_t size = std::min(kGroup, n - first);
    for (uint32_t t = 0; t < size; t += 32) {
      Simdgroup& group = all.emplace_back();
      for (uint32_t lane = 0; lane < 32; ++lane) {
        const bool is_there = t + lane < size && branch.active(lane);
        group.thread[lane] = is_there ? int64_t{first} + t + lane : -1;
      }
    }
  }
  return all;
}

template <typename T>
constexpr bool kIsInteger = std::numeric_limits<T>::is_integer;

// Integers wrap as in MSL; the float inputs are chosen so that every result is exact.
template <typename T>
T add(T a, T b) {
  if constexpr (kIsInteger<T>) return static_cast<T>(static_cast<uint64_t>(a) + b);
  return static_cast<T>(a + b);
}
template <typename T>
T multiply(T a, T b) {
  if constexpr (kIsInteger<T>)
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  return static_cast<T>(a * b);
}

template <typename T>
std::vector<T> summands(uint32_t n) {
  std::vector<T> values(n);
  for (uint32_t i = 0; i < n; ++i) values[i] = static_cast<T>(static_cast<int>(i * 7 % 11) - 4);
  return values;
}
template <typename T>
std::vector<T> factors(uint32_t n) {
  std::vector<T> values(n);
  for (uint32_t i = 0; i < n; ++i) {
    values[i] = static_cast<T>(i % 7 == 3 ? 2 : i % 5 == 1 ? -1 : 1);
  }
  return values;
}

constexpr uint32_t kReductions = 11;
const char* const kReductionSource = R"(
kernel void k(const device T* in, const device T* factors, device T* out,
              uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  device T* o = out + 11 * i;
  if (ACTIVE) {
    T v = in[i], f = factors[i];
    o[0] = simd_sum(v);
    o[1] = simd_product(f);
    o[2] = simd_min(v);
    o[3] = simd_max(v);
    o[4] = simd_prefix_inclusive_sum(v);
    o[5] = simd_prefix_exclusive_sum(v);
    o[6] = simd_prefix_inclusive_product(f);
    o[7] = simd_prefix_exclusive_product(f);
#if HAS_BITS
    o[8] = simd_and(v);
    o[9] = simd_or(v);
    o[10] = simd_xor(v);
#endif
  }
}
)";

template <typename T>
std::vector<T> expected_reductions(uint32_t n, const Branch& branch, const std::vector<T>& in,
                                   const std::vector<T>& factors) {
  std::vector<T> out(size_t{n} * kReductions, T(77));
  for (const Simdgroup& group : simdgroups_of(n, branch)) {
    std::array<T, kReductions> all{T(0), T(1), std::numeric_limits<T>::max(),
                                   std::numeric_limits<T>::lowest()};
    uint64_t bits_and = ~uint64_t{0}, bits_or = 0, bits_xor = 0;
    T sum(0), product(1);
    for (int64_t i : group.thread) {
      if (i < 0) continue;
      T* o = &out[static_cast<size_t>(i) * kReductions];
      o[5] = sum;
      o[7] = product;
      o[4] = sum = add(sum, in[i]);
      o[6] = product = multiply(product, factors[i]);
      all[2] = std::min(all[2], in[i]);
      all[3] = std::max(all[3], in[i]);
      auto bits = static_cast<uint64_t>(static_cast<int64_t>(in[i]));
      bits_and &= bits;
      bits_or |= bits;
      bits_xor ^= bits;
    }
    for (int64_t i : group.thread) {
      if (i < 0) continue;
      T* o = &out[static_cast<size_t>(i) * kReductions];
      o[0] = sum;
      o[1] = product;
      o[2] = all[2];
      o[3] = all[3];
      if (!kIsInteger<T>) continue;
      o[8] = static_cast<T>(bits_and);
      o[9] = static_cast<T>(bits_or);
      o[10] = static_cast<T>(bits_xor);
    }
  }
  return out;
}

template <typename T>
void check_reductions(const char* type) {
  for (const Branch& branch : kBranches) {
    for (uint32_t n : {1U, 31U, 33U, 80U, 257U}) {
      std::vector<T> in = summands<T>(n);
      std::vector<T> f = factors<T>(n);
      std::vector<T> out(size_t{n} * kReductions, T(77));
      run_kernel({.source = kReductionSource,
                  .grid = {n, 1, 1},
                  .threadgroup = {kGroup, 1, 1},
                  .defines = {{"T", type},
                              {"ACTIVE", branch.condition},
                              {"HAS_BITS", kIsInteger<T> ? "1" : "0"}}},
                 {buffer(in), buffer(f), buffer(out)});
      ASSERT_EQ(out, expected_reductions(n, branch, in, f))
          << type << " " << branch.condition << " " << n;
    }
  }
}

TEST(Simdgroup, reduces_and_scans_32_bit_types) {
  check_reductions<int32_t>("int");
  check_reductions<uint32_t>("uint");
  check_reductions<float>("float");
}
TEST(Simdgroup, reduces_and_scans_small_integers) {
  check_reductions<int8_t>("char");
  check_reductions<uint8_t>("uchar");
  check_reductions<int16_t>("short");
  check_reductions<uint16_t>("ushort");
}
TEST(Simdgroup, reduces_and_scans_64_bit_integers) {
  check_reductions<int64_t>("long");
  check_reductions<uint64_t>("ulong");
}

TEST(Simdgroup, reduces_and_scans_half) {
  // std::numeric_limits does not know _Float16: floats carry the values, the kernel works in half.
  for (const Branch& branch : kBranches) {
    for (uint32_t n : {1U, 33U, 80U, 257U}) {
      std::vector<float> in = summands<float>(n);
      std::vector<float> f = factors<float>(n);
      std::vector<_Float16> half_in(in.begin(), in.end());
      std::vector<_Float16> half_f(f.begin(), f.end());
      std::vector<_Float16> out(size_t{n} * kReductions, static_cast<_Float16>(77));
      run_kernel({.source = kReductionSource,
                  .grid = {n, 1, 1},
                  .threadgroup = {kGroup, 1, 1},
                  .defines = {{"T", "half"}, {"ACTIVE", branch.condition}, {"HAS_BITS", "0"}}},
                 {buffer(half_in), buffer(half_f), buffer(out)});
      ASSERT_EQ(std::vector<float>(out.begin(), out.end()), expected_reductions(n, branch, in, f))
          << branch.condition << " " << n;
    }
  }
}

TEST(Simdgroup, adds_floats_in_the_fixed_butterfly_order) {
  constexpr uint32_t kThreads = 32;
  std::vector<float> in(kThreads);
  for (uint32_t i = 0; i < kThreads; ++i) {
    in[i] = 1.0F / static_cast<float>(i * i + 3) * (i % 3 == 0 ? 1e6F : -1.0F);
  }
  std::vector<float> out(kThreads);
  run_kernel({.source = "kernel void k(const device float* in, device float* out,\n"
                        "              uint i [[thread_position_in_grid]]) {\n"
                        "  out[i] = simd_sum(in[i]);\n}",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kThreads, 1, 1}},
             {buffer(in), buffer(out)});
  std::vector<float> expected = in;
  for (uint32_t offset = 16; offset > 0; offset /= 2) {
    std::vector<float> before = expected;
    for (uint32_t i = 0; i < kThreads; ++i) expected[i] = before[i] + before[i ^ offset];
  }
  EXPECT_EQ(out, expected);
}

TEST(Simdgroup, ignores_nan_in_min_and_max) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> in(64, kNan);
  in[3] = 5.0F;
  in[20] = -2.0F;
  std::vector<float> out(128);
  run_kernel({.source = "kernel void k(const device float* in, device float* out,\n"
                        "              uint i [[thread_position_in_grid]]) {\n"
                        "  out[2 * i] = simd_min(in[i]); out[2 * i + 1] = simd_max(in[i]);\n}",
              .grid = {32, 1, 1},
              .threadgroup = {32, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t i = 0; i < 32; ++i) {
    ASSERT_EQ(out[2 * i], -2.0F);
    ASSERT_EQ(out[2 * i + 1], 5.0F);
  }
}

constexpr uint32_t kShuffles = 12;
const char* const kShuffleSource = R"(
kernel void k(const device T* in, device T* out,
              uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]) {
  device T* o = out + 12 * i;
  if (ACTIVE) {
    T v = in[2 * i], f = in[2 * i + 1];
    o[0] = simd_shuffle(v, ushort((lane * 5 + 3) % 32));
    o[1] = simd_shuffle_up(v, 3);
    o[2] = simd_shuffle_down(v, 5);
    o[3] = simd_shuffle_xor(v, 9);
    o[4] = simd_shuffle_rotate_up(v, 7);
    o[5] = simd_shuffle_rotate_down(v, 4);
    o[6] = simd_shuffle_and_fill_up(v, f, 3);
    o[7] = simd_shuffle_and_fill_down(v, f, 5);
    o[8] = simd_shuffle_and_fill_up(v, f, 2, 8);
    o[9] = simd_shuffle_and_fill_down(v, f, 6, 16);
    o[10] = simd_broadcast(v, 11);
    o[11] = simd_broadcast_first(v);
  }
}
)";

struct ShuffleSource {
  uint32_t lane;
  bool filling = false;
};
std::array<ShuffleSource, kShuffles - 1> shuffle_sources(uint32_t lane) {
  const uint32_t l8 = lane % 8;
  const uint32_t l16 = lane % 16;
  return {{{(lane * 5 + 3) % 32},
           {lane < 3 ? lane : lane - 3},
           {lane + 5 > 31 ? lane : lane + 5},
           {lane ^ 9},
           {(lane + 25) % 32},
           {(lane + 4) % 32},
           {lane < 3 ? lane + 29 : lane - 3, lane < 3},
           {lane < 27 ? lane + 5 : lane - 27, lane >= 27},
           {l8 < 2 ? lane + 6 : lane - 2, l8 < 2},
           {l16 < 10 ? lane + 6 : lane - 10, l16 >= 10},
           {11}}};
}

// A lane that reads from one that is not active gets its own value; Metal leaves that open, here it
// is fixed so that all executors agree.
template <typename T>
std::vector<T> expected_shuffles(uint32_t n, const Branch& branch, const std::vector<T>& in) {
  std::vector<T> out(size_t{n} * kShuffles, T(77));
  for (const Simdgroup& group : simdgroups_of(n, branch)) {
    int64_t first = -1;
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const int64_t i = group.thread[lane];
      if (i < 0) continue;
      first = first < 0 ? i : first;
      T* o = &out[static_cast<size_t>(i) * kShuffles];
      const auto sources = shuffle_sources(lane);
      for (uint32_t s = 0; s < sources.size(); ++s) {
        const int64_t other = group.thread[sources[s].lane];
        o[s] = in[static_cast<size_t>(2 * (other < 0 ? i : other)) + (sources[s].filling ? 1 : 0)];
      }
      o[kShuffles - 1] = in[static_cast<size_t>(2 * first)];
    }
  }
  return out;
}

template <typename T>
void check_shuffles(const char* type) {
  for (const Branch& branch : kBranches) {
    for (uint32_t n : {1U, 31U, 33U, 257U}) {
      std::vector<T> in(size_t{n} * 2);
      for (size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<T>(i % 2 == 0 ? static_cast<int>(i % 97) - 40
                                          : static_cast<int>(i % 89) + 30);
      }
      std::vector<T> out(size_t{n} * kShuffles, T(77));
      run_kernel({.source = kShuffleSource,
                  .grid = {n, 1, 1},
                  .threadgroup = {kGroup, 1, 1},
                  .defines = {{"T", type}, {"ACTIVE", branch.condition}}},
                 {buffer(in), buffer(out)});
      ASSERT_EQ(out, expected_shuffles(n, branch, in))
          << type << " " << branch.condition << " " << n;
    }
  }
}

TEST(Simdgroup, shuffles_32_bit_types) {
  check_shuffles<int32_t>("int");
  check_shuffles<uint32_t>("uint");
  check_shuffles<float>("float");
}
TEST(Simdgroup, shuffles_small_types) {
  check_shuffles<int8_t>("char");
  check_shuffles<uint8_t>("uchar");
  check_shuffles<int16_t>("short");
  check_shuffles<uint16_t>("ushort");
  check_shuffles<_Float16>("half");
}
TEST(Simdgroup, shuffles_64_bit_types) {
  check_shuffles<int64_t>("long");
  check_shuffles<uint64_t>("ulong");
}

TEST(Simdgroup, handles_vectors_component_by_component) {
  constexpr uint32_t kThreads = 77;
  constexpr uint32_t kFields = 17;
  std::vector<float> out(kThreads * kFields);
  run_kernel({.source = R"(
kernel void k(device float* out, uint i [[thread_position_in_grid]],
              uint lane [[thread_index_in_simdgroup]]) {
  device float* o = out + 17 * i;
  float3 a = simd_sum(float3(i, 1, lane));
  half4 b = simd_shuffle_xor(half4(half(i), 1.0h, half(lane), 0.5h), 1);
  short2 c = simd_max(short2(short(lane), -short(lane)));
  uint4 d = simd_prefix_exclusive_sum(uint4(1, lane, 2, 3));
  uchar2 e = simd_broadcast(uchar2(uchar(i), 200), 2);
  float2 f = simd_shuffle_and_fill_up(float2(i, lane), float2(-1, -2), 1);
  for (int j = 0; j < 3; ++j) o[j] = a[j];
  for (int j = 0; j < 4; ++j) o[3 + j] = float(b[j]);
  for (int j = 0; j < 2; ++j) o[7 + j] = float(c[j]);
  for (int j = 0; j < 4; ++j) o[9 + j] = float(d[j]);
  for (int j = 0; j < 2; ++j) o[13 + j] = float(e[j]);
  for (int j = 0; j < 2; ++j) o[15 + j] = f[j];
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {64, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t first = i / 32 * 32;
    const uint32_t lanes = std::min(32U, kThreads - first);
    const uint32_t lane = i - first;
    const uint32_t lane_sum = lanes * (lanes - 1) / 2;
    const uint32_t other = (lane ^ 1) < lanes ? lane ^ 1 : lane;
    const float f = static_cast<float>(first);
    // The filling of lane 0 would come from lane 31; a partial simdgroup takes lane 0's own.
    const std::vector<float> expected = {
        f * static_cast<float>(lanes) + static_cast<float>(lane_sum),
        static_cast<float>(lanes),
        static_cast<float>(lane_sum),
        f + static_cast<float>(other),
        1.0F,
        static_cast<float>(other),
        0.5F,
        static_cast<float>(lanes - 1),
        0.0F,
        static_cast<float>(lane),
        static_cast<float>(lane * (lane - 1) / 2),
        static_cast<float>(2 * lane),
        static_cast<float>(3 * lane),
        f + 2,
        200.0F,
        lane == 0 ? -1.0F : static_cast<float>(i - 1),
        lane == 0 ? -2.0F : static_cast<float>(lane - 1)};
    const std::vector<float> row(out.begin() + i * kFields, out.begin() + (i + 1) * kFields);
    ASSERT_EQ(row, expected) << i;
  }
}

TEST(Simdgroup, votes_over_the_active_lanes) {
  constexpr uint32_t kFields = 8;
  for (const Branch& branch : kBranches) {
    for (uint32_t n : {1U, 31U, 33U, 257U}) {
      std::vector<uint32_t> out(n * kFields, 77);
      run_kernel({.source = R"(
kernel void k(device uint* out, uint i [[thread_position_in_grid]],
              uint lane [[thread_index_in_simdgroup]]) {
  device uint* o = out + 8 * i;
  if (ACTIVE) {
    simd_vote vote = simd_ballot(i % 5 == 2);
    o[0] = uint(simd_vote::vote_t(vote));
    o[1] = uint(simd_vote::vote_t(simd_active_threads_mask()));
    o[2] = simd_all(lane > 3);
    o[3] = simd_any(lane == 4);
    o[4] = simd_is_first();
    o[5] = vote.any();
    o[6] = simd_ballot(true).all();
    o[7] = simd_all(i < 1000000) + 2 * uint(simd_any(i > 1000000));
  }
})",
                  .grid = {n, 1, 1},
                  .threadgroup = {kGroup, 1, 1},
                  .defines = {{"ACTIVE", branch.condition}}},
                 {buffer(out)});
      std::vector<uint32_t> expected(n * kFields, 77);
      for (const Simdgroup& group : simdgroups_of(n, branch)) {
        uint32_t mask = 0, ballot = 0;
        for (uint32_t lane = 0; lane < 32; ++lane) {
          if (group.thread[lane] < 0) continue;
          mask |= 1U << lane;
          if (group.thread[lane] % 5 == 2) ballot |= 1U << lane;
        }
        for (uint32_t lane = 0; lane < 32; ++lane) {
          if (group.thread[lane] < 0) continue;
          uint32_t* o = &expected[static_cast<size_t>(group.thread[lane]) * kFields];
          o[0] = ballot;
          o[1] = mask;
          o[2] = (mask & 0xf) == 0;
          o[3] = (mask & 0x10) != 0;
          o[4] = (mask & ((1U << lane) - 1)) == 0;
          o[5] = ballot != 0;
          o[6] = mask == 0xffffffff;
          o[7] = 1;
        }
      }
      ASSERT_EQ(out, expected) << branch.condition << " " << n;
    }
  }
}

}  // namespace
}  // namespace assay::testing
