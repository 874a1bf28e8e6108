// simd_* functions where lanes take different ways: branches, loops with lane-dependent trip
// counts, break, continue, early return. Each reference walks the lanes of a simdgroup in lockstep.
#include <array>
#include <bit>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr uint32_t kSizes[] = {1, 31, 32, 45, 257};

using Lanes = std::array<uint32_t, 32>;

uint32_t value_of(uint32_t i) { return i * 37 % 101 + 1; }

uint32_t sum_over(uint32_t mask, const Lanes& values) {
  uint32_t sum = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) sum += (mask >> lane & 1) != 0 ? values[lane] : 0;
  return sum;
}

// Runs the kernel at several sizes; `reference(mask, values)` gives the results of one simdgroup
// whose lanes in `mask` exist.
template <typename Reference>
void check(const std::string& body, Reference reference) {
  for (uint32_t n : kSizes) {
    std::vector<uint32_t> in(n);
    std::vector<uint32_t> out(n, 7777);
    for (uint32_t i = 0; i < n; ++i) in[i] = value_of(i);
    run_kernel({.source = "kernel void k(const device uint* in, device uint* out,\n"
                          "              uint i [[thread_position_in_grid]],\n"
                          "              uint lane [[thread_index_in_simdgroup]]) {\n"
                          "  uint v = in[i];\n" +
                          body + "}",
                .grid = {n, 1, 1},
                .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(out)});
    for (uint32_t first = 0; first < n; first += 32) {
      const uint32_t lanes = std::min(32U, n - first);
      Lanes values{};
      for (uint32_t lane = 0; lane < lanes; ++lane) values[lane] = in[first + lane];
      const uint32_t mask = lanes == 32 ? ~0U : (1U << lanes) - 1;
      const Lanes expected = reference(mask, values);
      for (uint32_t lane = 0; lane < lanes; ++lane) {
        ASSERT_EQ(out[first + lane], expected[lane]) << n << " thread " << first + lane;
      }
    }
  }
}

template <typename Predicate>
uint32_t filter(uint32_t mask, Predicate predicate) {
  uint32_t result = 0;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0 && predicate(lane)) result |= 1U << lane;
  }
  return result;
}

template <typename Action>
void each(uint32_t mask, Action action) {
  for (uint32_t lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1) != 0) action(lane);
  }
}

TEST(SimdgroupDivergence, sees_each_side_of_a_branch_alone_and_all_lanes_after_it) {
  check(R"(
  uint r;
  if (v % 3 == 0) {
    r = simd_sum(v);
  } else if (v % 3 == 1) {
    r = simd_max(v) * 2;
    if (lane & 1) r += 1000 * simd_sum(1u);
  } else {
    r = popcount(uint(simd_vote::vote_t(simd_active_threads_mask())));
  }
  out[i] = r * 100 + simd_sum(1u);
)",
        [](uint32_t mask, const Lanes& v) {
          Lanes r{};
          const uint32_t zero = filter(mask, [&](uint32_t l) { return v[l] % 3 == 0; });
          const uint32_t one = filter(mask, [&](uint32_t l) { return v[l] % 3 == 1; });
          const uint32_t two = mask & ~zero & ~one;
          const uint32_t odd = filter(one, [](uint32_t l) { return l % 2 == 1; });
          uint32_t max = 0;
          each(one, [&](uint32_t l) { max = std::max(max, v[l]); });
          each(zero, [&](uint32_t l) { r[l] = sum_over(zero, v); });
          each(one, [&](uint32_t l) { r[l] = max * 2; });
          each(odd, [&](uint32_t l) { r[l] += 1000 * std::popcount(odd); });
          each(two, [&](uint32_t l) { r[l] = std::popcount(two); });
          each(mask, [&](uint32_t l) { r[l] = r[l] * 100 + std::popcount(mask); });
          return r;
        });
}

TEST(SimdgroupDivergence, counts_only_lanes_that_are_still_in_the_loop) {
  check(R"(
  uint r = 1;
  for (uint j = 0; j < v % 7; ++j) r = r * 3 + simd_sum(v + j);
  out[i] = r + simd_sum(r);
)",
        [](uint32_t mask, const Lanes& v) {
          Lanes r;
          r.fill(1);
          for (uint32_t j = 0; j < 7; ++j) {
            const uint32_t inside = filter(mask, [&](uint32_t l) { return j < v[l] % 7; });
            const uint32_t sum = sum_over(inside, v) + j * std::popcount(inside);
            each(inside, [&](uint32_t l) { r[l] = r[l] * 3 + sum; });
          }
          const uint32_t total = sum_over(mask, r);
          each(mask, [&](uint32_t l) { r[l] += total; });
          return r;
        });
}

TEST(SimdgroupDivergence, leaves_out_lanes_that_continue_or_break) {
  check(R"(
  uint r = 0;
  for (uint j = 0; j < 9; ++j) {
    if ((lane + j) % 3 == 0) continue;
    if (v * j > 250) break;
    r += simd_sum(1u);
    if (simd_any(v == 50)) r += 100000;
    r += 64 * simd_sum(lane);
  }
  out[i] = r;
)",
        [](uint32_t mask, const Lanes& v) {
          Lanes r{};
          uint32_t inside = mask;
          for (uint32_t j = 0; j < 9; ++j) {
            uint32_t now = filter(inside, [&](uint32_t l) { return (l + j) % 3 != 0; });
            const uint32_t gone = filter(now, [&](uint32_t l) { return v[l] * j > 250; });
            inside &= ~gone;
            now &= ~gone;
            uint32_t lane_sum = 0;
            bool has_50 = false;
            each(now, [&](uint32_t l) { lane_sum += l, has_50 = has_50 || v[l] == 50; });
            each(now, [&](uint32_t l) {
              r[l] += std::popcount(now) + (has_50 ? 100000 : 0) + 64 * lane_sum;
            });
          }
          return r;
        });
}

TEST(SimdgroupDivergence, handles_nested_loops_with_lane_dependent_bounds) {
  check(R"(
  uint r = 0;
  for (uint a = 0; a < 1 + v % 4; ++a) {
    uint b = lane % 3;
    while (b < 1 + (v + a) % 5) {
      r = r * 2 + simd_sum(b + 1);
      ++b;
    }
    r ^= simd_shuffle_xor(r, 1);
  }
  out[i] = r;
)",
        [](uint32_t mask, const Lanes& v) {
          Lanes r{};
          for (uint32_t a = 0; a < 5; ++a) {
            const uint32_t outer = filter(mask, [&](uint32_t l) { return a < 1 + v[l] % 4; });
            Lanes b{};
            each(outer, [&](uint32_t l) { b[l] = l % 3; });
            for (;;) {
              const uint32_t inner =
                  filter(outer, [&](uint32_t l) { return b[l] < 1 + (v[l] + a) % 5; });
              if (inner == 0) break;
              const uint32_t sum = sum_over(inner, b) + std::popcount(inner);
              each(inner, [&](uint32_t l) { r[l] = r[l] * 2 + sum, ++b[l]; });
            }
            const Lanes before = r;
            each(outer, [&](uint32_t l) {
              const uint32_t other = (outer >> (l ^ 1) & 1) != 0 ? l ^ 1 : l;
              r[l] ^= before[other];
            });
          }
          return r;
        });
}

// The three ways to leave the loop once a lane's key had its turn.
class WaterfallLoop : public ::testing::TestWithParam<const char*> {};

TEST_P(WaterfallLoop, peels_equal_keys_off) {
  check(GetParam(), [](uint32_t mask, const Lanes& v) {
    Lanes r{};
    uint32_t left = mask;
    for (uint32_t round = 0; left != 0; ++round) {
      const uint32_t key = v[std::countr_zero(left)] % 6;
      const uint32_t same = filter(left, [&](uint32_t l) { return v[l] % 6 == key; });
      uint32_t rank = 0;
      each(same, [&](uint32_t l) {
        r[l] = key * 1000000 + round * 10000 + rank++ * 100 + std::popcount(same);
      });
      left &= ~same;
    }
    return r;
  });
}

INSTANTIATE_TEST_SUITE_P(SimdgroupDivergence, WaterfallLoop,
                         ::testing::Values(R"(
  uint key = v % 6, rank = 0, count = 0, round = 0;
  bool done = false;
  while (!done) {
    uint first = simd_broadcast_first(key);
    if (key == first) {
      rank = simd_prefix_exclusive_sum(1u);
      count = simd_sum(1u);
      done = true;
    } else {
      ++round;
    }
  }
  out[i] = key * 1000000 + round * 10000 + rank * 100 + count;
)",
                                           R"(
  uint key = v % 6, rank = 0, count = 0, round = 0;
  while (true) {
    if (key == simd_broadcast_first(key)) {
      rank = simd_prefix_exclusive_sum(1u);
      count = simd_sum(1u);
      break;
    }
    ++round;
  }
  out[i] = key * 1000000 + round * 10000 + rank * 100 + count;
)",
                                           R"(
  uint key = v % 6;
  for (uint round = 0;; ++round) {
    if (key == simd_broadcast_first(key)) {
      uint rank = simd_prefix_exclusive_sum(1u);
      out[i] = key * 1000000 + round * 10000 + rank * 100 + simd_sum(1u);
      return;
    }
  }
)"));

TEST(SimdgroupDivergence, sums_the_lanes_that_leave_in_the_same_round) {
  check(R"(
  uint r = 0;
  for (uint j = 0; j < 16; ++j) {
    for (uint k = 0; k < 3; ++k) {
      if (lane / 2 == j && lane % 3 == k) {
        for (uint n = 0; n < 2; ++n) r = r * 10 + simd_sum(1u);
        break;
      }
    }
    if (r > 0) {
      r += simd_sum(100u);
      break;
    }
  }
  out[i] = r;
)",
        [](uint32_t mask, const Lanes&) {
          Lanes r{};
          each(mask, [&](uint32_t l) {
            const bool has_partner = (mask >> (l ^ 1) & 1) != 0;
            const uint32_t together = 1;  // neighbours leave the inner loop in different rounds
            r[l] = together * 11 + (has_partner ? 200 : 100);
          });
          return r;
        });
}

TEST(SimdgroupDivergence, leaves_out_lanes_that_returned) {
  check(R"(
  if (lane % 4 == 2) { out[i] = simd_sum(v); return; }
  uint r = simd_sum(v);
  if (v > 90) { out[i] = r; return; }
  out[i] = r * 2 + simd_sum(1u) + uint(simd_is_first()) * 100000;
)",
        [](uint32_t mask, const Lanes& v) {
          Lanes r{};
          const uint32_t early = filter(mask, [](uint32_t l) { return l % 4 == 2; });
          const uint32_t rest = mask & ~early;
          const uint32_t large = filter(rest, [&](uint32_t l) { return v[l] > 90; });
          const uint32_t last = rest & ~large;
          each(early, [&](uint32_t l) { r[l] = sum_over(early, v); });
          each(large, [&](uint32_t l) { r[l] = sum_over(rest, v); });
          each(last, [&](uint32_t l) {
            const bool is_first = static_cast<int>(l) == std::countr_zero(last);
            r[l] = sum_over(rest, v) * 2 + std::popcount(last) + (is_first ? 100000 : 0);
          });
          return r;
        });
}

TEST(SimdgroupDivergence, keeps_the_cases_of_a_switch_apart) {
  check(R"(
  uint r = 5;
  switch (v % 5) {
    case 0: r = simd_sum(v); break;
    case 1: r = simd_min(v); break;
    case 3: r = simd_prefix_inclusive_sum(v); break;
    default: r = simd_sum(1u); break;
  }
  out[i] = r;
)",
        [](uint32_t mask, const Lanes& v) {
          Lanes r{};
          auto with = [&](auto predicate) { return filter(mask, predicate); };
          const uint32_t zero = with([&](uint32_t l) { return v[l] % 5 == 0; });
          const uint32_t one = with([&](uint32_t l) { return v[l] % 5 == 1; });
          const uint32_t three = with([&](uint32_t l) { return v[l] % 5 == 3; });
          const uint32_t other = mask & ~zero & ~one & ~three;
          uint32_t min = ~0U;
          uint32_t prefix = 0;
          each(one, [&](uint32_t l) { min = std::min(min, v[l]); });
          each(zero, [&](uint32_t l) { r[l] = sum_over(zero, v); });
          each(one, [&](uint32_t l) { r[l] = min; });
          each(three, [&](uint32_t l) { r[l] = prefix += v[l]; });
          each(other, [&](uint32_t l) { r[l] = std::popcount(other); });
          return r;
        });
}

TEST(SimdgroupDivergence, works_in_helpers_and_with_threadgroup_barriers) {
  // Partial sums of diverged lanes in a helper, then a reduction across the group's simdgroups.
  for (uint32_t n : kSizes) {
    std::vector<uint32_t> in(n);
    std::vector<uint32_t> out(n, 7777);
    for (uint32_t i = 0; i < n; ++i) in[i] = value_of(i);
    run_kernel({.source = R"(
uint masked_sum(uint v, uint rounds) {
  uint r = 0;
  for (uint j = 0; j < rounds; ++j) r += simd_sum(v);
  return r;
}
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint lane [[thread_index_in_simdgroup]],
              uint simdgroup [[simdgroup_index_in_threadgroup]],
              uint simdgroups [[simdgroups_per_threadgroup]]) {
  threadgroup uint partial[32];
  uint v = in[i];
  uint r = v % 2 ? masked_sum(v, v % 4) : masked_sum(1, 2);
  uint total = simd_sum(r);
  if (simd_is_first()) partial[simdgroup] = total;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint all = 0;
  for (uint s = 0; s < simdgroups; ++s) all += partial[s];
  out[i] = all * 3 + r;
})",
                .grid = {n, 1, 1},
                .threadgroup = {96, 1, 1}},
               {buffer(in), buffer(out)});
    std::vector<uint32_t> r(n);
    for (uint32_t first = 0; first < n; first += 32) {
      const uint32_t end = std::min(first + 32, n);
      uint32_t even = 0;
      uint32_t sums[4] = {};  // of odd lanes that run at least j + 1 rounds
      for (uint32_t i = first; i < end; ++i) {
        even += in[i] % 2 == 0 ? 1 : 0;
        for (uint32_t j = 0; in[i] % 2 == 1 && j < in[i] % 4; ++j) sums[j] += in[i];
      }
      for (uint32_t i = first; i < end; ++i) {
        if (in[i] % 2 == 0) r[i] = 2 * even;
        for (uint32_t j = 0; in[i] % 2 == 1 && j < in[i] % 4; ++j) r[i] += sums[j];
      }
    }
    for (uint32_t first = 0; first < n; first += 96) {
      uint32_t all = 0;
      for (uint32_t i = first; i < std::min(first + 96, n); ++i) all += r[i];
      for (uint32_t i = first; i < std::min(first + 96, n); ++i) {
        ASSERT_EQ(out[i], all * 3 + r[i]) << n << " " << i;
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
