// The core of kernels on which the executors once differed, and of others like them.
#include <gtest/gtest.h>

#include "base/settings.h"
#include "tests/random_kernels/compare_executors.h"
#include "tests/random_kernels/kernel_generator.h"

namespace assay::testing {
namespace {

using kernel::LaunchSize;

// One row, several rows in a simdgroup, and groups whose first thread has an odd position.
const LaunchSize kLaunches[] = {LaunchSize::threads({64, 1, 1}, {64, 1, 1}),
                                LaunchSize::threads({77, 3, 1}, {33, 2, 1}),
                                LaunchSize::threads({99, 1, 1}, {33, 1, 1})};

void expect_same(const std::string& body) {
  const Result<base::Settings> settings = base::load_settings();
  ASSERT_TRUE(settings) << settings.error().message;
  GeneratedKernel kernel;
  kernel.name = "k0";
  kernel.source = write_kernel(0, body);
  kernel.launches.assign(std::begin(kLaunches), std::end(kLaunches));
  kernel.regions = {4, 4, 4, 4, 4, 4};
  const Comparison comparison =
      compare_executors({&kernel, 1}, {.cpu = settings->cpu, .checks = true});
  for (const Failure& failure : comparison.failures) ADD_FAILURE() << failure.text;
  EXPECT_TRUE(comparison.fallbacks.empty()) << comparison.fallbacks.front();
}

TEST(FoundKernels, extend_values_that_wrap_in_some_lanes) {
  expect_same(R"(
  out64[t.gid] = ulong(t.index + 0xfffffff0u);
  out64[p.stride + t.gid] = ulong(long(int(t.index + 0x7ffffff0u)));
  out64[2u * p.stride + t.gid] = ulong(t.index * 0x10000001u);
  out64[3u * p.stride + t.gid] = ulong(lane << 28u) + ulong(10u - lane);
)");
}

TEST(FoundKernels, add_bits_that_only_active_lanes_lack) {
  expect_same(R"(
  uint i = t.position.x;
  if ((i & 1u) == 0u) out32[p.stride + (i | 1u)] = 5u + (i | 1u);
)");
}

TEST(FoundKernels, gather_bytes_and_shorts) {
  expect_same(R"(
  uint i = t.in32[t.gid] & 1023u;
  uchar bytes[8];
  for (uint e = 0u; e < 8u; ++e) bytes[e] = t.in8[i + e];
  out8[t.gid] = bytes[i & 7u];
  out16[t.gid] = ushort(t.in16[i]);
)");
}

TEST(FoundKernels, keep_values_that_only_some_lanes_have) {
  expect_same(R"(
  uint k = t.in32[t.gid];
  uint late;
  if ((k & 1u) != 0u) {
    late = p.a * 3u + uint(t.in8[p.c]);
    out32[t.gid] = simd_sum(k);
  } else {
    out32[t.gid] = simd_max(k);
  }
  out32[p.stride + t.gid] = simd_sum(k * 3u);
  if ((k & 1u) != 0u) out32[2u * p.stride + t.gid] = late + simd_min(k);
)");
}

TEST(FoundKernels, keep_the_value_of_each_lanes_last_round) {
  expect_same(R"(
  const uint rounds = t.in8[t.gid] % 9u;
  bool last = false;
  for (uint i = 0u; i < rounds; ++i) {
    if (p.n != 12345u) {
      last = ((i ^ p.n) & 1u) == 0u;
      out64[t.gid] = i;
    } else if (last && p.n >= p.b) {
      break;
    }
  }
  out32[t.gid] = last;
)");
}

TEST(FoundKernels, leave_a_loop_by_a_lanes_own_way_before_all_leave_it) {
  expect_same(R"(
  const uint rounds = t.in8[t.gid] % 9u;
  uint way = 3u;
  for (uint i = 0u; i < 20u; ++i) {
    out64[t.gid] = i;
    if (i == rounds) { way = 1u; break; }
    if (i == (p.b & 7u)) { way = 2u; break; }
  }
  out32[t.gid] = way;
)");
}

TEST(FoundKernels, divide_wide_numbers_by_what_is_zero_in_other_lanes) {
  expect_same(R"(
  const ulong a = ulong(t.gid) - 500ul;
  const long b = long(t.gid) * 1000003l - 30000000l;
  ulong v = t.gid;
  long w = t.gid;
  if ((t.gid & 1u) != 0u) v = lane == 0u ? a ^ 9ul : a % ulong(lane);
  if ((t.gid & 2u) != 0u) w = lane == 3u ? b ^ 9l : b / (long(lane) - 3l);
  out64[t.gid] = v;
  out64[p.stride + t.gid] = ulong(w);
)");
}

}  // namespace
}  // namespace assay::testing
