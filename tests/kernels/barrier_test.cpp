// threadgroup_barrier and simdgroup_barrier: in loops, branches and helpers, after early returns,
// and with much private state alive across them.
#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

std::vector<uint32_t> numbers(uint32_t n) {
  std::vector<uint32_t> values(n);
  for (uint32_t i = 0; i < n; ++i) values[i] = (i * 2654435761U) >> 7;
  return values;
}

TEST(Barrier, makes_threadgroup_writes_visible_to_the_whole_group) {
  constexpr uint32_t kGroup = 96;
  for (uint32_t n : kOddSizes) {
    std::vector<uint32_t> in = numbers(n);
    std::vector<uint32_t> out(n);
    run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_position_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup uint tile[96];
  tile[t] = in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = tile[size - 1 - t];
})",
                .grid = {n, 1, 1},
                .threadgroup = {kGroup, 1, 1}},
               {buffer(in), buffer(out)});
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t first = i / kGroup * kGroup;
      const uint32_t size = std::min(kGroup, n - first);
      ASSERT_EQ(out[i], in[first + size - 1 - (i - first)]) << n << " " << i;
    }
  }
}

TEST(Barrier, works_twice_a_round_in_a_loop) {
  constexpr uint32_t kGroup = 128;
  for (uint32_t n : kOddSizes) {
    std::vector<uint32_t> in = numbers(n);
    std::vector<uint32_t> out(n);
    run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup uint sums[128];
  sums[t] = in[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 1; step < size; step *= 2) {
    uint left = t >= step ? sums[t - step] : 0;
    threadgroup_barrier(mem_flags::mem_threadgroup);
    sums[t] += left;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[i] = sums[t];
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

TEST(Barrier, works_in_branches_and_loops_that_are_uniform_per_group) {
  // Group g rotates its tile g % 4 times; group 3 of each four leaves its loop early.
  constexpr uint32_t kGroup = 40;
  constexpr uint32_t kThreads = kGroup * 9 + 13;
  std::vector<uint32_t> in = numbers(kThreads);
  std::vector<uint32_t> out(kThreads);
  run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
              uint size [[threads_per_threadgroup]]) {
  threadgroup uint tile[40];
  uint value = in[i];
  if (g % 4 != 0) {
    for (uint round = 0; round < g % 4; ++round) {
      tile[t] = value;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      value = tile[(t + 1) % size];
      threadgroup_barrier(mem_flags::mem_none);
      if (g % 4 == 3 && round == 1) break;
    }
  } else {
    tile[t] = value * 3;
    threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device);
    value = tile[size / 2];
  }
  out[i] = value;
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kGroup, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t group = i / kGroup;
    const uint32_t first = group * kGroup;
    const uint32_t size = std::min(kGroup, kThreads - first);
    const uint32_t turns = group % 4 == 3 ? 2 : group % 4;
    const uint32_t expected =
        group % 4 == 0 ? in[first + size / 2] * 3 : in[first + (i - first + turns) % size];
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Barrier, runs_when_whole_groups_or_some_threads_have_returned) {
  // Groups 2, 5, 8 … leave at once; of the others every third thread leaves before the barriers.
  constexpr uint32_t kGroup = 77;
  constexpr uint32_t kThreads = kGroup * 8 + 31;
  std::vector<uint32_t> in = numbers(kThreads);
  std::vector<uint32_t> out(kThreads, 7);
  run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]],
              uint size [[threads_per_threadgroup]]) {
  threadgroup uint tile[77];
  if (g % 3 == 2) return;
  tile[t] = in[i];
  if (t % 3 == 1) { out[i] = 9; return; }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint other = tile[size - 1 - t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  tile[t] = other + 1;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = tile[t / 3 * 3];
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kGroup, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t first = i / kGroup * kGroup;
    const uint32_t size = std::min(kGroup, kThreads - first);
    const uint32_t t = i - first;
    uint32_t expected = in[first + size - 1 - t / 3 * 3] + 1;
    if (t % 3 == 1) expected = 9;
    if (i / kGroup % 3 == 2) expected = 7;
    ASSERT_EQ(out[i], expected) << i;
  }
}

TEST(Barrier, keeps_private_arrays_and_many_live_values) {
  constexpr uint32_t kGroup = 50;
  constexpr uint32_t kThreads = 50 * 3 + 9;
  std::vector<float> out(kThreads);
  std::vector<uint64_t> hashes(kThreads);
  run_kernel({.source = R"(
struct Pair { float a; int b; };
kernel void k(device float* out, device ulong* hashes, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup float shared_value[50];
  float history[17];
  Pair pairs[3];
  ulong hash = i + 1;
  half h = half(t) * 0.5h;
  short s = -short(t);
  bool odd = t & 1;
  float4 v = float4(t, t + 1, t + 2, t + 3);
  for (int j = 0; j < 3; ++j) pairs[j] = {float(t) + 0.25f * j, int(i) - j};
  for (uint j = 0; j < 17; ++j) {
    shared_value[t] = float(i + j);
    threadgroup_barrier(mem_flags::mem_threadgroup);
    history[(j * 5) % 17] = shared_value[(t + j) % size];
    hash = hash * 31 + j;
    v = v.yzwx + 1.0f;
    pairs[j % 3].b += int(j);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  float sum = 0;
  for (uint j = 0; j < 17; ++j) sum += history[j] * float(j);
  sum += float(h) + float(s) + (odd ? 1000.0f : 0.0f) + v.x + 2 * v.y + 3 * v.z + 4 * v.w;
  for (int j = 0; j < 3; ++j) sum += pairs[j].a + float(pairs[j].b);
  out[i] = sum;
  hashes[i] = hash;
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kGroup, 1, 1}},
             {buffer(out), buffer(hashes)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t first = i / kGroup * kGroup;
    const uint32_t size = std::min(kGroup, kThreads - first);
    const uint32_t t = i - first;
    // Every term is a small multiple of 1/4, so the sum is exact in any order.
    double sum = t * 0.5 - t + (t % 2 == 1 ? 1000.0 : 0.0);
    uint64_t hash = i + 1;
    for (uint32_t j = 0; j < 17; ++j) {
      sum += static_cast<double>(first + (t + j) % size + j) * ((j * 5) % 17);
      hash = hash * 31 + j;
    }
    // 17 rotations leave v turned by one; each adds 1 to every element.
    for (uint32_t e = 0; e < 4; ++e) sum += (e + 1.0) * (t + (e + 1) % 4 + 17.0);
    for (uint32_t j = 0; j < 3; ++j) sum += t + 0.25 * j + static_cast<double>(i) - j;
    sum += 17 * 16 / 2;
    ASSERT_EQ(out[i], static_cast<float>(sum)) << i;
    ASSERT_EQ(hashes[i], hash) << i;
  }
}

TEST(Barrier, works_in_helper_functions_and_orders_device_memory) {
  constexpr uint32_t kGroup = 64;
  for (uint32_t n : {1U, 33U, 64U, 191U, 321U}) {
    std::vector<uint32_t> in = numbers(n);
    std::vector<uint32_t> scratch(n);
    std::vector<uint32_t> out(n);
    run_kernel({.source = R"(
void swap_ends(device uint* base, uint t, uint size, bool flag) {
  uint mine = base[size - 1 - t];
  threadgroup_barrier(mem_flags::mem_device);
  base[t] = mine + (flag ? 1 : 0);
  threadgroup_barrier(mem_flags::mem_device);
}
kernel void k(const device uint* in, device uint* scratch, device uint* out,
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
              uint size [[threads_per_threadgroup]]) {
  scratch[i] = in[i];
  device uint* base = scratch + (i - t);
  threadgroup_barrier(mem_flags::mem_device);
  swap_ends(base, t, size, false);
  out[i] = base[t ^ (t + 1 < size || (t & 1) ? 1 : 0)];
  threadgroup_barrier(mem_flags::mem_device);
  swap_ends(base, t, size, true);
})",
                .grid = {n, 1, 1},
                .threadgroup = {kGroup, 1, 1}},
               {buffer(in), buffer(scratch), buffer(out)});
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t first = i / kGroup * kGroup;
      const uint32_t size = std::min(kGroup, n - first);
      const uint32_t t = i - first;
      const uint32_t neighbour = t + 1 < size || t % 2 == 1 ? t ^ 1 : t;
      ASSERT_EQ(out[i], in[first + size - 1 - neighbour]) << n << " " << i;
      ASSERT_EQ(scratch[i], in[i] + 1) << n << " " << i;
    }
  }
}

TEST(Barrier, nests_in_loops_with_uniform_continue) {
  constexpr uint32_t kGroup = 45;
  constexpr uint32_t kThreads = kGroup * 2 + 17;
  std::vector<uint32_t> out(kThreads);
  run_kernel({.source = R"(
kernel void k(device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup uint cell[2];
  uint sum = 0;
  for (uint a = 0; a < 5; ++a) {
    if (a == 2) continue;
    uint b = 0;
    do {
      if (t == (a * 7 + b) % size) cell[b & 1] = i * 10 + a;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      sum = sum * 5 + cell[b & 1];
      ++b;
      if (a == 4 && b == 2) break;
    } while (b < a + 1);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[i] = sum;
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kGroup, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    const uint32_t first = i / kGroup * kGroup;
    const uint32_t size = std::min(kGroup, kThreads - first);
    uint32_t sum = 0;
    for (uint32_t a : {0U, 1U, 3U, 4U}) {
      const uint32_t rounds = a == 4 ? 2 : a + 1;
      for (uint32_t b = 0; b < rounds; ++b) sum = sum * 5 + (first + (a * 7 + b) % size) * 10 + a;
    }
    ASSERT_EQ(out[i], sum) << i;
  }
}

TEST(Barrier, joins_the_lanes_of_a_simdgroup) {
  for (uint32_t n : kOddSizes) {
    std::vector<uint32_t> in = numbers(n);
    std::vector<uint32_t> out(n);
    run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
              uint size [[threads_per_threadgroup]]) {
  threadgroup uint tile[96];
  tile[t] = in[i];
  simdgroup_barrier(mem_flags::mem_threadgroup);
  uint first = t - lane;
  uint lanes = min(32u, size - first);
  out[i] = tile[first + (lane + 5) % lanes];
})",
                .grid = {n, 1, 1},
                .threadgroup = {96, 1, 1}},
               {buffer(in), buffer(out)});
    for (uint32_t i = 0; i < n; ++i) {
      const uint32_t first = i / 32 * 32;
      const uint32_t lanes = std::min(32U, n - first);
      ASSERT_EQ(out[i], in[first + (i - first + 5) % lanes]) << n << " " << i;
    }
  }
}

}  // namespace
}  // namespace assay::testing
