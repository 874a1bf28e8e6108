// Atomics on device and threadgroup memory: every fetch operation, exchange, compare-exchange
// loops, and counts shared by many groups.
#include <bit>
#include <cstdint>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

uint32_t mix(uint32_t i) { return (i + 1) * 2654435761U; }

// Slots: add, sub, min, max, and, or, xor.
const char* const kFetchDevice = R"(
kernel void k(device atomic<T>* slots, const device T* in, uint i [[thread_position_in_grid]]) {
  T v = in[i];
  atomic_fetch_add_explicit(slots + 0, v, memory_order_relaxed);
  atomic_fetch_sub_explicit(slots + 1, v, memory_order_relaxed);
  atomic_fetch_min_explicit(slots + 2, v, memory_order_relaxed);
  atomic_fetch_max_explicit(slots + 3, v, memory_order_relaxed);
  atomic_fetch_and_explicit(slots + 4, v | T(0x10101010), memory_order_relaxed);
  atomic_fetch_or_explicit(&slots[5], v & T(0x0f0f0f0f), memory_order_relaxed);
  atomic_fetch_xor_explicit(&slots[6], v, memory_order_relaxed);
}
)";
const char* const kFetchThreadgroup = R"(
kernel void k(device T* slots, const device T* in, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic<T> counters[7];
  if (t == 0) {
    for (int s = 0; s < 7; ++s) atomic_store_explicit(counters + s, slots[s], memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  T v = in[i];
  atomic_fetch_add_explicit(counters + 0, v, memory_order_relaxed);
  atomic_fetch_sub_explicit(counters + 1, v, memory_order_relaxed);
  atomic_fetch_min_explicit(counters + 2, v, memory_order_relaxed);
  atomic_fetch_max_explicit(counters + 3, v, memory_order_relaxed);
  atomic_fetch_and_explicit(counters + 4, v | T(0x10101010), memory_order_relaxed);
  atomic_fetch_or_explicit(&counters[5], v & T(0x0f0f0f0f), memory_order_relaxed);
  atomic_fetch_xor_explicit(&counters[6], v, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    for (int s = 0; s < 7; ++s) slots[s] = atomic_load_explicit(counters + s, memory_order_relaxed);
  }
}
)";

template <typename T>
void check_fetches(const char* source, const char* type, uint32_t n, uint32_t group) {
  std::vector<T> in(n);
  std::vector<T> slots = {
      5, 6,     std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), static_cast<T>(~T(0)),
      0, 0x1234};
  std::vector<T> expected = slots;
  for (uint32_t i = 0; i < n; ++i) {
    in[i] = static_cast<T>(mix(i));
    const uint64_t v = static_cast<uint64_t>(in[i]);
    expected[0] = static_cast<T>(static_cast<uint64_t>(expected[0]) + v);
    expected[1] = static_cast<T>(static_cast<uint64_t>(expected[1]) - v);
    expected[2] = std::min(expected[2], in[i]);
    expected[3] = std::max(expected[3], in[i]);
    expected[4] &= in[i] | static_cast<T>(0x10101010);
    expected[5] |= in[i] & static_cast<T>(0x0f0f0f0f);
    expected[6] ^= in[i];
  }
  run_kernel(
      {.source = source, .grid = {n, 1, 1}, .threadgroup = {group, 1, 1}, .defines = {{"T", type}}},
      {buffer(slots), buffer(in)});
  EXPECT_EQ(slots, expected) << type << " " << n;
}

TEST(Atomic, fetch_operations_work_on_device_memory) {
  for (uint32_t n : kOddSizes) {
    check_fetches<int32_t>(kFetchDevice, "int", n, 48);
    check_fetches<uint32_t>(kFetchDevice, "uint", n, 48);
    check_fetches<uint64_t>(kFetchDevice, "ulong", n, 48);
  }
}

TEST(Atomic, fetch_operations_work_on_threadgroup_memory) {
  for (uint32_t n : {1U, 31U, 33U, 97U, 255U, 1023U}) {
    check_fetches<int32_t>(kFetchThreadgroup, "int", n, 1024);
    check_fetches<uint32_t>(kFetchThreadgroup, "uint", n, 1024);
  }
}

TEST(Atomic, fetch_add_gives_each_thread_its_own_ticket) {
  constexpr uint32_t kThreads = 10007;
  std::vector<uint32_t> counter = {100};
  std::vector<uint32_t> owner(kThreads, ~0U);
  run_kernel({.source = R"(
kernel void k(device atomic_uint& counter, device uint* owner, uint i [[thread_position_in_grid]]) {
  uint ticket = atomic_fetch_add_explicit(&counter, 1u, memory_order_relaxed);
  owner[ticket - 100] = i;
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {61, 1, 1}},
             {buffer(counter), buffer(owner)});
  EXPECT_EQ(counter[0], 100 + kThreads);
  std::ranges::sort(owner);
  for (uint32_t i = 0; i < kThreads; ++i) ASSERT_EQ(owner[i], i);
}

TEST(Atomic, adds_floats) {
  // Quarters below 2^22 add exactly, so the order does not matter.
  constexpr uint32_t kThreads = 3001;
  std::vector<float> sums = {0.5F, 1.0F};
  run_kernel({.source = R"(
kernel void k(device atomic_float* sums, uint i [[thread_position_in_grid]],
              uint t [[thread_index_in_threadgroup]]) {
  threadgroup atomic_float local_sum;
  if (t == 0) atomic_store_explicit(&local_sum, 0.0f, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_fetch_add_explicit(&sums[0], float(i % 16) * 0.25f, memory_order_relaxed);
  atomic_fetch_add_explicit(&local_sum, 0.25f, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {
    float mine = atomic_load_explicit(&local_sum, memory_order_relaxed);
    atomic_fetch_add_explicit(&sums[1], mine, memory_order_relaxed);
  }
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {96, 1, 1}},
             {buffer(sums)});
  float first = 0.5F;
  for (uint32_t i = 0; i < kThreads; ++i) first += static_cast<float>(i % 16) * 0.25F;
  EXPECT_EQ(sums[0], first);
  EXPECT_EQ(sums[1], 1.0F + 0.25F * kThreads);
}

TEST(Atomic, compare_exchange_loops_build_float_max_and_product) {
  for (uint32_t n : kOddSizes) {
    std::vector<float> in(n);
    std::vector<uint32_t> cells = {std::bit_cast<uint32_t>(-1e30F), std::bit_cast<uint32_t>(1.0F)};
    float max = -1e30F;
    float product = 1.0F;
    for (uint32_t i = 0; i < n; ++i) {
      in[i] = static_cast<float>(mix(i) >> 8) - 9e6F;
      max = std::max(max, in[i]);
      product *= i % 100 == 7 ? 2.0F : i % 100 == 9 ? 0.25F : -1.0F;
    }
    run_kernel({.source = R"(
void update_max(device atomic_uint* cell, float v) {
  uint old = atomic_load_explicit(cell, memory_order_relaxed);
  while (as_type<float>(old) < v) {
    if (atomic_compare_exchange_weak_explicit(cell, &old, as_type<uint>(v), memory_order_relaxed,
                                              memory_order_relaxed)) break;
  }
}
kernel void k(const device float* in, device uint* cells, uint i [[thread_position_in_grid]]) {
  update_max((device atomic_uint*)cells, in[i]);
  device atomic<float>* product = (device atomic<float>*)(cells + 1);
  float factor = i % 100 == 7 ? 2.0f : i % 100 == 9 ? 0.25f : -1.0f;
  float old = atomic_load_explicit(product, memory_order_relaxed);
  while (!atomic_compare_exchange_weak_explicit(product, &old, old * factor,
                                                memory_order_relaxed, memory_order_relaxed)) {
  }
})",
                .grid = {n, 1, 1},
                .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(cells)});
    EXPECT_EQ(std::bit_cast<float>(cells[0]), max) << n;
    EXPECT_EQ(std::bit_cast<float>(cells[1]), product) << n;
  }
}

TEST(Atomic, exchange_hands_every_value_on_exactly_once) {
  constexpr uint32_t kThreads = 1031;
  std::vector<int32_t> cell = {-1};
  std::vector<int32_t> got(kThreads, -7);
  run_kernel({.source = R"(
kernel void k(device atomic_int* cell, device int* got, uint i [[thread_position_in_grid]]) {
  got[i] = atomic_exchange_explicit(cell, int(i), memory_order_relaxed);
})",
              .grid = {kThreads, 1, 1},
              .threadgroup = {50, 1, 1}},
             {buffer(cell), buffer(got)});
  got.push_back(cell[0]);
  std::ranges::sort(got);
  for (int32_t i = 0; i <= static_cast<int32_t>(kThreads); ++i) ASSERT_EQ(got[i], i - 1);
}

TEST(Atomic, counts_a_histogram_across_many_groups) {
  constexpr uint32_t kBins = 37;
  for (uint32_t n : {1U, 97U, 1031U, 20011U}) {
    std::vector<uint32_t> in(n);
    std::vector<uint32_t> expected(kBins);
    for (uint32_t i = 0; i < n; ++i) {
      in[i] = mix(i) >> 11;
      ++expected[in[i] % kBins];
    }
    std::vector<uint32_t> direct(kBins);
    std::vector<uint32_t> staged(kBins);
    run_kernel({.source = R"(
constant constexpr uint bins = 37;
kernel void k(const device uint* in, device atomic_uint* direct, volatile device atomic_uint* staged,
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
              uint threads [[threads_per_threadgroup]]) {
  threadgroup atomic_uint counts[bins];
  for (uint b = t; b < bins; b += threads) atomic_store_explicit(counts + b, 0, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  uint bin = in[i] % bins;
  atomic_fetch_add_explicit(&direct[bin], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counts[bin], 1, memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint b = t; b < bins; b += threads) {
    uint count = atomic_load_explicit(&counts[b], memory_order_relaxed);
    if (count) atomic_fetch_add_explicit(&staged[b], count, memory_order_relaxed);
  }
})",
                .grid = {n, 1, 1},
                .threadgroup = {128, 1, 1}},
               {buffer(in), buffer(direct), buffer(staged)});
    EXPECT_EQ(direct, expected) << n;
    EXPECT_EQ(staged, expected) << n;
  }
}

TEST(Atomic, last_group_sees_what_all_others_wrote) {
  // The usual single-pass reduction: the group that takes the last ticket adds the partial sums.
  constexpr uint32_t kGroup = 32;
  for (uint32_t n : {1U, 33U, 1031U}) {
    const uint32_t groups = (n + kGroup - 1) / kGroup;
    std::vector<uint32_t> partial(groups);
    std::vector<uint32_t> ticket(1);
    std::vector<uint32_t> total(1);
    run_kernel({.source = R"(
kernel void k(device atomic_uint* partial, device atomic_uint* ticket, device uint* total,
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
              uint g [[threadgroup_position_in_grid]], uint groups [[threadgroups_per_grid]]) {
  uint sum = simd_sum(i + 1);
  if (t != 0) return;
  atomic_store_explicit(&partial[g], sum, memory_order_relaxed);
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  if (atomic_fetch_add_explicit(ticket, 1, memory_order_relaxed) + 1 != groups) return;
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst, thread_scope_device);
  uint all = 0;
  for (uint j = 0; j < groups; ++j) all += atomic_load_explicit(&partial[j], memory_order_relaxed);
  *total = all;
})",
                .grid = {n, 1, 1},
                .threadgroup = {kGroup, 1, 1}},
               {buffer(partial), buffer(ticket), buffer(total)});
    EXPECT_EQ(ticket[0], groups) << n;
    EXPECT_EQ(total[0], n * (n + 1) / 2) << n;
  }
}

TEST(Atomic, updates_64_bit_minima_and_maxima_without_a_result) {
  for (uint32_t n : {1U, 37U, 1031U}) {
    std::vector<uint64_t> in(n);
    for (uint32_t i = 0; i < n; ++i) in[i] = (uint64_t{mix(i)} << 32) | mix(i * 7 + 3);
    std::vector<uint64_t> slots = {~uint64_t{0}, 0};
    std::vector<uint64_t> in_group = slots;
    run_kernel({.source = R"(
kernel void k(device atomic_ulong* slots, device _atomic<ulong>* result, const device ulong* in,
              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  atomic_min_explicit(&slots[0], in[i], memory_order_relaxed);
  atomic_max_explicit(&slots[1], in[i], memory_order_relaxed);
  threadgroup atomic_ulong best[2];
  if (t == 0) {
    atomic_store_explicit(&best[0], ~0ul, memory_order_relaxed);
    atomic_store_explicit(&best[1], 0, memory_order_relaxed);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);
  atomic_min_explicit(&best[0], in[i], memory_order_relaxed);
  atomic_max_explicit(&best[1], in[i], memory_order_relaxed);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t != 0) return;
  atomic_min_explicit(&result[0], atomic_load_explicit(&best[0], memory_order_relaxed),
                      memory_order_relaxed);
  atomic_max_explicit(&result[1], atomic_load_explicit(&best[1], memory_order_relaxed),
                      memory_order_relaxed);
})",
                .grid = {n, 1, 1},
                .threadgroup = {48, 1, 1}},
               {buffer(slots), buffer(in_group), buffer(in)});
    const auto [low, high] = std::ranges::minmax(in);
    EXPECT_EQ(slots, (std::vector<uint64_t>{low, high})) << n;
    EXPECT_EQ(in_group, slots) << n;
  }
}

// Every thread adds to totals[i % locks] under the lock of that total. `body` says how the lock is
// taken; it ends with what ADD does and gives the lock back.
void check_locks(const std::string& body) {
  for (uint32_t n : {1U, 31U, 33U, 257U}) {
    for (uint32_t locks : {1U, 3U, 32U}) {
      std::vector<uint32_t> lock(locks, 0);
      std::vector<uint32_t> totals(locks, 5);
      std::vector<uint32_t> expected(locks, 5);
      for (uint32_t i = 0; i < n; ++i) expected[i % locks] += i + 1;
      run_kernel({.source = R"(
#define ADD                                                            \
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst);    \
  totals[s] += i + 1;                                                  \
  atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst);
bool take(device atomic_uint* lock) {
  return atomic_exchange_explicit(lock, 1u, memory_order_relaxed) == 0u;
}
void give_back(device atomic_uint* lock) { atomic_store_explicit(lock, 0u, memory_order_relaxed); }
kernel void k(device atomic_uint* locks, volatile device uint* totals, constant uint& count,
              uint i [[thread_position_in_grid]]) {
  uint s = i % count;
)" + body + "}",
                  .grid = {n, 1, 1},
                  .threadgroup = {96, 1, 1}},
                 {buffer(lock), buffer(totals), value(locks)});
      ASSERT_EQ(totals, expected) << n << " threads, " << locks << " locks";
    }
  }
}

TEST(Atomic, locks_that_lanes_take_for_themselves_pass_from_one_to_the_next) {
  check_locks(R"(
  bool done = false;
  while (!done) {
    if (take(locks + s)) { ADD give_back(locks + s); done = true; }
  })");
  check_locks("for (;;) { if (take(locks + s)) { ADD give_back(locks + s); break; } }");
  check_locks("while (true) { if (!take(locks + s)) continue; ADD give_back(locks + s); return; }");
  check_locks(R"(
  uint free = 0;
  bool waiting = true;
  do {
    free = 0;
    if (atomic_compare_exchange_weak_explicit(locks + s, &free, i + 1, memory_order_relaxed,
                                              memory_order_relaxed)) {
      ADD
      atomic_exchange_explicit(locks + s, 0u, memory_order_relaxed);
      waiting = false;
    }
  } while (waiting);)");
  check_locks(R"(
  for (uint turn = 0, left = 1; left > 0; ++turn) {
    if (take(&locks[s])) { ADD --left; give_back(&locks[s]); }
  })");
}

}  // namespace
}  // namespace assay::testing
