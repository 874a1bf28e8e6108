// Kernels that overwrite threadgroup memory which others still have to read, without a barrier in
// between. They work on GPUs, whose simdgroups keep in step well enough, so they have to work here.
#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr uint32_t kGroup = 256;

std::vector<uint32_t> numbers(uint32_t n) {
  std::vector<uint32_t> values(n);
  for (uint32_t i = 0; i < n; ++i) values[i] = (i * 2654435761U) >> 9;
  return values;
}

// Two phases through the same memory, as in a softmax that saves a barrier.
TEST(MissingBarrier, lets_every_simdgroup_read_before_the_next_phase_writes) {
  constexpr uint32_t kGroups = 5;
  std::vector<uint32_t> in = numbers(kGroup * kGroups);
  std::vector<uint32_t> out(in.size());
  run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, uint i [[thread_position_in_grid]],
              uint lane [[thread_index_in_simdgroup]],
              uint group [[simdgroup_index_in_threadgroup]],
              uint groups [[simdgroups_per_threadgroup]]) {
  threadgroup uint shared[32];
  uint largest = simd_max(in[i]);
  if (lane == 0) shared[group] = largest;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  largest = simd_max(lane < groups ? shared[lane] : 0);
  uint below = simd_sum(largest - in[i]);
  if (lane == 0) shared[group] = below;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[i] = largest + simd_sum(lane < groups ? shared[lane] : 0);
})",
              .grid = {kGroup * kGroups, 1, 1},
              .threadgroup = {kGroup, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t g = 0; g < kGroups; ++g) {
    auto first = in.begin() + g * kGroup;
    const uint32_t largest = *std::max_element(first, first + kGroup);
    uint32_t expected = largest;
    for (uint32_t i = 0; i < kGroup; ++i) expected += largest - first[i];
    for (uint32_t i = 0; i < kGroup; ++i) ASSERT_EQ(out[g * kGroup + i], expected) << g << " " << i;
  }
}

TEST(MissingBarrier, lets_everybody_read_the_element_that_one_thread_replaces) {
  constexpr uint32_t kRounds = 7;
  for (uint32_t n : {33U, 97U, 256U}) {
    std::vector<uint32_t> out(n);
    run_kernel({.source = R"(
kernel void k(device uint* out, uint t [[thread_position_in_threadgroup]],
              uint size [[threads_per_threadgroup]]) {
  threadgroup uint shared[1];
  if (t == size / 2) shared[0] = 3;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint sum = 0;
  for (uint round = 0; round < 7; ++round) {
    uint value = shared[0];
    sum = sum * 5 + value;
    if (t == round * 13 % size) shared[0] = value * 3 + round;
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  out[t] = sum;
})",
                .grid = {n, 1, 1},
                .threadgroup = {n, 1, 1}},
               {buffer(out)});
    uint32_t value = 3;
    uint32_t expected = 0;
    for (uint32_t round = 0; round < kRounds; ++round) {
      expected = expected * 5 + value;
      value = value * 3 + round;
    }
    for (uint32_t i = 0; i < n; ++i) ASSERT_EQ(out[i], expected) << n << " " << i;
  }
}

TEST(MissingBarrier, lets_threads_hand_their_element_to_a_neighbour) {
  for (uint32_t n : {31U, 64U, 97U, 256U}) {
    for (uint32_t distance : {1U, 5U, n - 1}) {
      std::vector<uint32_t> in = numbers(n);
      std::vector<uint32_t> out(n);
      run_kernel({.source = R"(
kernel void k(const device uint* in, device uint* out, constant uint& distance,
              uint t [[thread_position_in_threadgroup]], uint size [[threads_per_threadgroup]]) {
  threadgroup uint shared[256];
  shared[t] = in[t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint neighbour = shared[(t + distance) % size];
  shared[t] = neighbour;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = shared[(t + distance) % size];
})",
                  .grid = {n, 1, 1},
                  .threadgroup = {n, 1, 1}},
                 {buffer(in), buffer(out), value(distance)});
      for (uint32_t i = 0; i < n; ++i) {
        ASSERT_EQ(out[i], in[(i + 2 * distance) % n]) << n << " " << distance << " " << i;
      }
    }
  }
}

// The store is in a branch of one lane, the others are on their way to simdgroup functions; and in
// a loop, where all of them go on reading what they read before.
TEST(MissingBarrier, keeps_the_lanes_of_a_simdgroup_together) {
  constexpr uint32_t kThreads = 160;
  std::vector<uint32_t> out(kThreads);
  run_kernel({.source = R"(
kernel void k(device uint* out, uint t [[thread_position_in_threadgroup]],
              uint lane [[thread_index_in_simdgroup]],
              uint group [[simdgroup_index_in_threadgroup]]) {
  threadgroup uint shared[64];
  if (t < 64) shared[t] = t;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint value = shared[lane];
  if (lane == 7) {
    for (uint i = 0; i < 4; ++i) shared[(group * 4 + i) % 64] = 1000 + group;
  }
  uint sum = simd_sum(value);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  out[t] = sum * 10000 + shared[t % 20];
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {kThreads, 1, 1}},
             {buffer(out)});
  for (uint32_t i = 0; i < kThreads; ++i) {
    ASSERT_EQ(out[i], 31U * 16 * 10000 + 1000 + i % 20 / 4) << i;
  }
}

}  // namespace
}  // namespace assay::testing
