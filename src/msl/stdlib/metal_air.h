// What functions of Apple's intermediate representation do that a source declares by its own
// `__asm("air.…")` (see air_functions.cpp). Types come from the declaration.
#pragma once

#include "metal_atomic.h"
#include "metal_private.h"

namespace metal {
namespace __assay {
namespace air {

#define ASSAY_AIR(name, function)                \
  template <typename... A>                       \
  METAL_FUNC auto name(A... a) {                 \
    return ::metal::function(a...);              \
  }
#define ASSAY_AIR_MATH(name)                     \
  ASSAY_AIR(name, precise::name) ASSAY_AIR(fast_##name, fast::name)
#define ASSAY_AIR_1(space, name) ASSAY_AIR_MATH(name)
#define ASSAY_AIR_2(space, name) ASSAY_AIR_MATH(name)
#define ASSAY_AIR_3(space, name) ASSAY_AIR_MATH(name)
ASSAY_MATH_LIST(ASSAY_AIR, )
#undef ASSAY_AIR_3
#undef ASSAY_AIR_2
#undef ASSAY_AIR_1
#undef ASSAY_AIR_MATH

#define ASSAY_AIR_LANE(name) ASSAY_AIR(name, name)
#define ASSAY_AIR_LANES(prefix)                                                       \
  ASSAY_AIR_LANE(prefix##_sum) ASSAY_AIR_LANE(prefix##_product)                       \
  ASSAY_AIR_LANE(prefix##_min) ASSAY_AIR_LANE(prefix##_max)                           \
  ASSAY_AIR_LANE(prefix##_and) ASSAY_AIR_LANE(prefix##_or)                            \
  ASSAY_AIR_LANE(prefix##_xor) ASSAY_AIR_LANE(prefix##_prefix_inclusive_sum)          \
  ASSAY_AIR_LANE(prefix##_prefix_exclusive_sum)                                       \
  ASSAY_AIR_LANE(prefix##_prefix_inclusive_product)                                   \
  ASSAY_AIR_LANE(prefix##_prefix_exclusive_product) ASSAY_AIR_LANE(prefix##_shuffle)  \
  ASSAY_AIR_LANE(prefix##_broadcast) ASSAY_AIR_LANE(prefix##_broadcast_first)         \
  ASSAY_AIR_LANE(prefix##_shuffle_up) ASSAY_AIR_LANE(prefix##_shuffle_down)           \
  ASSAY_AIR_LANE(prefix##_shuffle_xor) ASSAY_AIR_LANE(prefix##_shuffle_rotate_up)     \
  ASSAY_AIR_LANE(prefix##_shuffle_rotate_down)                                        \
  ASSAY_AIR_LANE(prefix##_shuffle_and_fill_up)                                        \
  ASSAY_AIR_LANE(prefix##_shuffle_and_fill_down)                                      \
  METAL_FUNC ulong prefix##_ballot(bool predicate) {                                  \
    return ulong(metal::prefix##_ballot(predicate));                                  \
  }                                                                                   \
  METAL_FUNC ulong prefix##_active_threads_mask() {                                   \
    return ulong(metal::prefix##_active_threads_mask());                              \
  }                                                                                   \
  METAL_FUNC bool prefix##_all(bool predicate) { return metal::prefix##_all(predicate); } \
  METAL_FUNC bool prefix##_any(bool predicate) { return metal::prefix##_any(predicate); } \
  METAL_FUNC bool prefix##_is_first() { return metal::prefix##_is_first(); }
ASSAY_AIR_LANES(simd)
ASSAY_AIR_LANES(quad)
#undef ASSAY_AIR_LANES
#undef ASSAY_AIR_LANE

ASSAY_AIR(popcount, popcount)
ASSAY_AIR(reverse_bits, reverse_bits)
ASSAY_AIR(rotate, rotate)
ASSAY_AIR(mul_hi, mulhi)
ASSAY_AIR(min, min)
ASSAY_AIR(max, max)
ASSAY_AIR(abs, abs)
#undef ASSAY_AIR
// The second argument says that nobody cares about the result for zero.
template <typename T>
METAL_FUNC T ctz(T x, bool = false) {
  return metal::ctz(x);
}
template <typename T>
METAL_FUNC T clz(T x, bool = false) {
  return metal::clz(x);
}

METAL_FUNC void wg_barrier(int flags, int) { threadgroup_barrier(mem_flags(flags)); }
METAL_FUNC void simdgroup_barrier(int flags, int) { metal::simdgroup_barrier(mem_flags(flags)); }

// --- copies between device and threadgroup memory ------------------------------------------------

// A copy is made at once, by the active lanes of the simdgroup together; a wait for it only makes
// sure that everybody has done its part.
template <typename Word>
METAL_FUNC device Word* words(device void* p) {
  return (device Word*)p;
}
template <typename Word>
METAL_FUNC const device Word* words(const device void* p) {
  return (const device Word*)p;
}
template <typename Word>
METAL_FUNC threadgroup Word* words(threadgroup void* p) {
  return (threadgroup Word*)p;
}
template <typename Word>
METAL_FUNC const threadgroup Word* words(const threadgroup void* p) {
  return (const threadgroup Word*)p;
}

// A rectangle in memory, in elements.
struct copy_tile {
  ulong row;  // from one row to the next
  ulong column;
  ulong width;
  ulong height;
};
struct copy_plan {
  ulong element_bytes;
  copy_tile to;
  copy_tile from;
  long x;  // of the first element in `from`
  long y;
  bool clamps_to_edge;  // otherwise what lies outside of `from` is zero
};

template <typename Word, typename To, typename From>
METAL_FUNC void copy_elements(To target, From source, copy_plan plan) {
  const ulong words_each = plan.element_bytes / sizeof(Word);
  const uint active = ballot(1);
  const ulong lanes = ulong(__builtin_popcount(active));
  const ulong first = ulong(__builtin_popcount(active & ((1u << lane()) - 1)));
  auto to = words<Word>(target);
  auto from = words<Word>(source);
  const copy_tile in = plan.from;
  for (ulong i = first; i < plan.to.width * plan.to.height; i += lanes) {
    const ulong column = i % plan.to.width, row = i / plan.to.width;
    long x = long(column) + plan.x, y = long(row) + plan.y;
    const bool is_inside = x >= 0 && y >= 0 && ulong(x) < in.width && ulong(y) < in.height;
    x = metal::clamp(x, 0l, long(in.width) - 1);
    y = metal::clamp(y, 0l, long(in.height) - 1);
    auto element = to + (row * plan.to.row + column * plan.to.column) * words_each;
    if (is_inside || (plan.clamps_to_edge && in.width > 0 && in.height > 0)) {
      auto value = from + (ulong(y) * in.row + ulong(x) * in.column) * words_each;
      for (ulong w = 0; w < words_each; ++w) element[w] = value[w];
    } else {
      for (ulong w = 0; w < words_each; ++w) element[w] = Word(0);
    }
  }
}

template <typename To, typename From>
METAL_FUNC nullptr_t copy(To to, From from, ulong alignment, copy_plan plan) {
  switch (alignment) {
    case 1:
      copy_elements<uchar>(to, from, plan);
      break;
    case 2:
      copy_elements<ushort>(to, from, plan);
      break;
    case 4:
      copy_elements<uint>(to, from, plan);
      break;
    default:
      copy_elements<ulong>(to, from, plan);
  }
  return nullptr;
}

template <typename To, typename From>
METAL_FUNC nullptr_t simdgroup_async_copy_1d(ulong element_bytes, ulong alignment, To to, From from,
                                             ulong count) {
  const copy_tile row = {count, 1, count, 1};
  return copy(to, from, alignment, copy_plan{element_bytes, row, row, 0, 0, false});
}

// Only a zero origin is seen in public code; it is taken for a place in the source's tile.
template <typename To, typename From>
METAL_FUNC nullptr_t simdgroup_async_copy_2d(ulong element_bytes, ulong alignment, To to,
                                             ulong to_row, ulong to_column, ulong2 to_tile, From from,
                                             ulong from_row, ulong from_column, ulong2 from_tile,
                                             long2 origin, int clamp_mode) {
  const copy_tile target = {to_row, to_column, to_tile.x, to_tile.y};
  const copy_tile source = {from_row, from_column, from_tile.x, from_tile.y};
  return copy(to, from, alignment,
              copy_plan{element_bytes, target, source, origin.x, origin.y, clamp_mode == 1});
}

template <typename Events>
METAL_FUNC void wait_simdgroup_events(int, Events) {
  metal::simdgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
}

}  // namespace air
}  // namespace __assay
}  // namespace metal
