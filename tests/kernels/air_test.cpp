// Functions that a source declares by the name they have in Apple's intermediate representation.
#include <bit>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

TEST(Air, functions_do_what_those_of_the_library_do) {
  constexpr uint32_t kCount = 64;
  std::vector<int32_t> in(kCount), out(kCount);
  for (uint32_t i = 0; i < kCount; ++i) in[i] = static_cast<int32_t>(8 * i + 8);
  run_kernel({.source = R"(
    float sum(float data) __asm("air.simd_sum.f32");
    __attribute__((__overloadable__)) int largest(int) __asm("air.simd_max.s.i32");
    int trailing_zeros(int data, bool) __asm__("air.ctz.i32");
    float quick_root(float) __asm("\001air.fast_sqrt.f32");
    bool is_first(void) __asm("air.simd_is_first");
    #define DECLARE(RESULT, NAME, PARAMETER, LABEL) RESULT NAME(PARAMETER) __asm("air." #LABEL);
    DECLARE(ulong, votes, bool predicate, simd_ballot.i64)
    DECLARE(float, unused, float x, some_operation.f32)
    inline void meet(int flags, int scope) __attribute__((convergent)) __asm("air.wg.barrier");
    uint from(uint value, ushort lane) __asm("air.simd_shuffle.u.i32");
    kernel void k(const device int* in, device int* out, uint i [[thread_position_in_grid]]) {
      threadgroup int reversed[64];
      reversed[63 - i] = in[i];
      meet(2, 1);
      out[i] = int(sum(float(in[i]))) + largest(in[i]) + trailing_zeros(in[i], false) +
               int(quick_root(16.0f)) + int(is_first()) + int(votes(i % 2 == 0) & 0xff) +
               int(from(i, 3)) + reversed[i];
    })",
              .grid = {kCount, 1, 1},
              .threadgroup = {kCount, 1, 1}},
             {buffer(in), buffer(out)});
  for (uint32_t i = 0; i < kCount; ++i) {
    const uint32_t base = i / 32 * 32;
    int32_t sum = 0;
    for (uint32_t j = base; j < base + 32; ++j) sum += in[j];
    const int32_t zeros = std::countr_zero(static_cast<uint32_t>(in[i]));
    const auto first = static_cast<int32_t>(i == base);
    EXPECT_EQ(out[i], sum + in[base + 31] + zeros + 4 + first + 0x55 +
                          static_cast<int32_t>(base + 3) + in[63 - i])
        << i;
  }
}

const char* const kCopies = R"(
  struct _event;
  thread _event* copy(ulong, ulong, threadgroup void*, const device void*, ulong)
      __asm("air.simdgroup_async_copy_1d.p3i8.p1i8");
  thread _event* copy(ulong, ulong, threadgroup void*, ulong, ulong, ulong2, const device void*,
                      ulong, ulong, ulong2, long2, int)
      __asm("air.simdgroup_async_copy_2d.p3i8.p1i8");
  thread _event* copy(ulong, ulong, device void*, ulong, ulong, ulong2, const threadgroup void*,
                      ulong, ulong, ulong2, long2, int)
      __asm("air.simdgroup_async_copy_2d.p1i8.p3i8");
  void wait(int, thread _event**) __asm("air.wait_simdgroup_events");
  template <typename T> void move(const device T* in, device T* out, uint lane) {
    threadgroup T tile[8 * 8];
    threadgroup T line[20];
    thread _event* events[2];
    events[0] = copy(sizeof(T), alignof(T), line, in, 20);
    events[1] = copy(sizeof(T), alignof(T), tile, 8, 1, ulong2(8, 6), in, 13, 1, ulong2(5, 4),
                     long2(0), 0);
    wait(2, events);
    tile[lane] = T(tile[lane] + line[lane % 20]);
    simdgroup_barrier(mem_flags::mem_threadgroup);
    events[0] = copy(sizeof(T), alignof(T), out, 10, 1, ulong2(7, 5), tile, 8, 1, ulong2(8, 6),
                     long2(0), 0);
    wait(1, events);
  }
  kernel void k(const device float* floats, device float* floats_out, const device half* halves,
                device half* halves_out, uint lane [[thread_index_in_simdgroup]]) {
    move(floats, floats_out, lane);
    move(halves, halves_out, lane);
  })";

// What the copies of `move` do, by hand.
template <typename T>
std::vector<T> moved(const std::vector<T>& in, std::vector<T> out, uint32_t lanes) {
  std::vector<T> tile(64, T(0));
  for (uint32_t y = 0; y < 4; ++y) {
    for (uint32_t x = 0; x < 5; ++x) tile[8 * y + x] = in[13 * y + x];
  }
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    tile[lane] = static_cast<T>(static_cast<float>(tile[lane]) + static_cast<float>(in[lane % 20]));
  }
  for (uint32_t y = 0; y < 5; ++y) {
    for (uint32_t x = 0; x < 7; ++x) out[10 * y + x] = tile[8 * y + x];
  }
  return out;
}

TEST(Air, simdgroups_copy_lines_and_tiles_between_device_and_threadgroup_memory) {
  std::vector<float> floats(64);
  std::vector<_Float16> halves(64);
  for (uint32_t i = 0; i < 64; ++i) {
    floats[i] = static_cast<float>(3 * i + 1);
    halves[i] = static_cast<_Float16>(i + 2);
  }
  for (uint32_t lanes : {32U, 9U}) {
    std::vector<float> floats_out(64, -1);
    std::vector<_Float16> halves_out(64, static_cast<_Float16>(-1));
    const std::vector<float> floats_wanted = moved(floats, floats_out, lanes);
    const std::vector<_Float16> halves_wanted = moved(halves, halves_out, lanes);
    run_kernel({.source = kCopies, .grid = {lanes, 1, 1}, .threadgroup = {lanes, 1, 1}},
               {buffer(floats), buffer(floats_out), buffer(halves), buffer(halves_out)});
    EXPECT_EQ(floats_out, floats_wanted) << lanes;
    for (uint32_t i = 0; i < 64; ++i) {
      EXPECT_EQ(static_cast<float>(halves_out[i]), static_cast<float>(halves_wanted[i])) << i;
    }
  }
}

}  // namespace
}  // namespace assay::testing
