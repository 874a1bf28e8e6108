// SIMD-group functions. Every type travels as 32- or 64-bit integers in shuffles; reductions of
// half and bfloat run in float and round once.
#pragma once

#include "metal_operands.h"
#include "metal_packed.h"
#include "metal_uniform.h"

namespace metal {
namespace __assay {

#define ASSAY_CROSS_LANE __attribute__((convergent, nothrow))

uint lane() __attribute__((const, nothrow)) __asm__("assay.lane");
uint simdgroup() __attribute__((const, nothrow)) __asm__("assay.simdgroup");
uint shuffle_bits(uint value, uint lane) ASSAY_CROSS_LANE __asm__("assay.simd.shuffle.i32");
ulong shuffle_bits(ulong value, uint lane) ASSAY_CROSS_LANE __asm__("assay.simd.shuffle.i64");
uint ballot(uint predicate) ASSAY_CROSS_LANE __asm__("assay.simd.ballot");

#define ASSAY_REDUCTION(name, type, suffix)                     \
  type reduce_##name(type value, uint cluster) ASSAY_CROSS_LANE \
      __asm__("assay.simd.reduce." #name "." suffix);
#define ASSAY_SCAN(name, type, suffix)                                        \
  type scan_##name(type value, uint cluster, uint inclusive) ASSAY_CROSS_LANE \
      __asm__("assay.simd.scan." #name "." suffix);
#define ASSAY_FOR_LANE_TYPES(M, name)                                                 \
  M(name, int, "i32") M(name, uint, "u32") M(name, long, "i64") M(name, ulong, "u64") \
  M(name, float, "f32")

ASSAY_FOR_LANE_TYPES(ASSAY_REDUCTION, add)
ASSAY_FOR_LANE_TYPES(ASSAY_REDUCTION, mul)
ASSAY_FOR_LANE_TYPES(ASSAY_REDUCTION, min)
ASSAY_FOR_LANE_TYPES(ASSAY_REDUCTION, max)
ASSAY_FOR_LANE_TYPES(ASSAY_SCAN, add)
ASSAY_FOR_LANE_TYPES(ASSAY_SCAN, mul)
ASSAY_REDUCTION(and, uint, "u32")
ASSAY_REDUCTION(and, ulong, "u64")
ASSAY_REDUCTION(or, uint, "u32")
ASSAY_REDUCTION(or, ulong, "u64")
ASSAY_REDUCTION(xor, uint, "u32")
ASSAY_REDUCTION(xor, ulong, "u64")
#undef ASSAY_FOR_LANE_TYPES
#undef ASSAY_SCAN
#undef ASSAY_REDUCTION

constexpr constant uint simd_width = 32;
constexpr constant uint quad_width = 4;

// The type that a scalar is reduced in.
template <typename T>
using lane_t =
    conditional_t<__is_floating_point(T), float,
                  conditional_t<sizeof(T) == 8, conditional_t<__is_signed(T), long, ulong>,
                                conditional_t<__is_signed(T), int, uint>>>;
template <typename T>
using lane_bits_t = conditional_t<sizeof(T) == 8, ulong, uint>;

template <uint Cluster>
struct cross_lane {
#define ASSAY_REDUCE_OP(name, wide)                     \
  struct name##_op {                                    \
    template <typename T>                               \
    METAL_FUNC static T call(T value) {                 \
      return T(reduce_##name(wide<T>(value), Cluster)); \
    }                                                   \
  };
  ASSAY_REDUCE_OP(add, lane_t)
  ASSAY_REDUCE_OP(mul, lane_t)
  ASSAY_REDUCE_OP(min, lane_t)
  ASSAY_REDUCE_OP(max, lane_t)
  ASSAY_REDUCE_OP(and, lane_bits_t)
  ASSAY_REDUCE_OP(or, lane_bits_t)
  ASSAY_REDUCE_OP(xor, lane_bits_t)
#undef ASSAY_REDUCE_OP

#define ASSAY_SCAN_OP(function, name, inclusive)                   \
  struct function##_op {                                           \
    template <typename T>                                          \
    METAL_FUNC static T call(T value) {                            \
      return T(scan_##name(lane_t<T>(value), Cluster, inclusive)); \
    }                                                              \
  };
  ASSAY_SCAN_OP(inclusive_sum, add, 1)
  ASSAY_SCAN_OP(exclusive_sum, add, 0)
  ASSAY_SCAN_OP(inclusive_product, mul, 1)
  ASSAY_SCAN_OP(exclusive_product, mul, 0)
#undef ASSAY_SCAN_OP
};

struct shuffle_op {
  template <typename T>
  METAL_FUNC static T call(T value, uint lane) {
    if constexpr (sizeof(T) == 8) {
      return __builtin_bit_cast(T, shuffle_bits(__builtin_bit_cast(ulong, value), lane));
    } else if constexpr (sizeof(T) == 4) {
      return __builtin_bit_cast(T, shuffle_bits(__builtin_bit_cast(uint, value), lane));
    } else if constexpr (sizeof(T) == 2) {
      uint bits = __builtin_bit_cast(ushort, value);
      return __builtin_bit_cast(T, ushort(shuffle_bits(bits, lane)));
    } else {
      uint bits = __builtin_bit_cast(uchar, value);
      return __builtin_bit_cast(T, uchar(shuffle_bits(bits, lane)));
    }
  }
};

// The value of one absolute lane, for scalars and vectors. `lane` is below 32.
template <typename T>
METAL_FUNC T from_lane(T value, uint lane) {
  return lift<shuffle_op>(value, with_element_t<T, uint>(lane));
}

// `lane` moved by `delta` inside its cluster of `modulo` lanes (a power of two), wrapping around.
METAL_FUNC uint wrapped_lane(uint lane, uint delta, uint modulo) {
  return (lane & ~(modulo - 1)) | ((lane + delta) & (modulo - 1));
}

// The clusters' shared forms; Cluster is 32 or 4.
template <uint Cluster, typename T>
METAL_FUNC T shuffle(T value, uint index) {
  return from_lane(value, wrapped_lane(lane() & ~(Cluster - 1), index, Cluster));
}
// Lanes that would read beyond their cluster keep their own value.
template <uint Cluster, typename T>
METAL_FUNC T shuffle_up(T value, uint delta) {
  uint self = lane();
  return from_lane(value, (self & (Cluster - 1)) >= delta ? self - delta : self);
}
template <uint Cluster, typename T>
METAL_FUNC T shuffle_down(T value, uint delta) {
  uint self = lane();
  return from_lane(value, (self & (Cluster - 1)) + delta < Cluster ? self + delta : self);
}
template <uint Cluster, typename T>
METAL_FUNC T shuffle_xor(T value, uint mask) {
  return from_lane(value, lane() ^ (mask & (Cluster - 1)));
}
template <uint Cluster, typename T>
METAL_FUNC T rotate_up(T value, uint delta) {
  return from_lane(value, wrapped_lane(lane(), 0u - delta, Cluster));
}
template <uint Cluster, typename T>
METAL_FUNC T rotate_down(T value, uint delta) {
  return from_lane(value, wrapped_lane(lane(), delta, Cluster));
}
template <typename T>
METAL_FUNC T fill_up(T value, T filling, uint delta, uint modulo) {
  uint self = lane();
  uint source = wrapped_lane(self, 0u - delta, modulo);
  T shifted = from_lane(value, source);
  T filled = from_lane(filling, source);
  return (self & (modulo - 1)) >= delta ? shifted : filled;
}
template <typename T>
METAL_FUNC T fill_down(T value, T filling, uint delta, uint modulo) {
  uint self = lane();
  uint source = wrapped_lane(self, delta, modulo);
  T shifted = from_lane(value, source);
  T filled = from_lane(filling, source);
  return (self & (modulo - 1)) + delta < modulo ? shifted : filled;
}

// One bit per active lane of the caller's cluster, shifted down to bit 0.
template <uint Cluster>
METAL_FUNC uint cluster_ballot(bool predicate) {
  uint mask = ballot(predicate ? 1u : 0u);
  if (Cluster == simd_width) return mask;
  return (mask >> (lane() & ~(Cluster - 1))) & ((1u << (Cluster & 31)) - 1);
}

}  // namespace __assay

// Result of a vote: one bit per lane. Bits is the type that Metal stores it in.
template <typename Bits, uint Cluster>
class lane_vote {
 public:
  typedef Bits vote_t;

  lane_vote() = default;
  METAL_FUNC explicit constexpr lane_vote(vote_t bits) : bits_(bits) {}
  METAL_FUNC constexpr bool all() const ASSAY_ANY { return bits_ == all_bits; }
  METAL_FUNC constexpr bool any() const ASSAY_ANY { return bits_ != 0; }
  template <typename T, typename = enable_if_t<__is_integral(T)>>
  METAL_FUNC explicit constexpr operator T() const ASSAY_ANY {
    return T(bits_);
  }

 private:
  static constexpr constant vote_t all_bits = Cluster == 32 ? vote_t(0xffffffff) : vote_t(0xf);
  vote_t bits_;
};
typedef lane_vote<ulong, __assay::simd_width> simd_vote;
typedef lane_vote<uint, __assay::quad_width> quad_vote;

// All functions once for simd_* and once for quad_*.
#define ASSAY_LANE_REDUCTION(prefix, cluster, name, op)                                 \
  template <typename A, typename... Rest>                                               \
  METAL_FUNC __assay::common_t<A> prefix##_##name(A data, __assay::absent<Rest>...) {     \
    typedef __assay::common_t<A> type;                                                   \
    return __assay::lift<__assay::cross_lane<cluster>::op##_op>(type(data));              \
  }
#define ASSAY_LANE_SHUFFLE(prefix, cluster, name, function)                 \
  template <typename A, typename... Rest>                                   \
  METAL_FUNC __assay::common_t<A> prefix##_##name(A data, ushort argument,   \
                                                 __assay::absent<Rest>...) { \
    return __assay::function<cluster>(__assay::common_t<A>(data), argument);  \
  }
#define ASSAY_LANE_FILL(prefix, cluster, name, function)                             \
  template <typename A, typename B, typename... Rest>                                \
  METAL_FUNC __assay::common_t<A, B> prefix##_##name(A data, B filling, ushort delta, \
                                                    ushort modulo = cluster,         \
                                                    __assay::absent<Rest>...) {       \
    typedef __assay::common_t<A, B> type;                                             \
    return __assay::function(type(data), type(filling), delta, modulo);               \
  }
#define ASSAY_LANE_FUNCTIONS(prefix, cluster)                                        \
  ASSAY_LANE_REDUCTION(prefix, cluster, sum, add)                                    \
  ASSAY_LANE_REDUCTION(prefix, cluster, product, mul)                                \
  ASSAY_LANE_REDUCTION(prefix, cluster, min, min)                                    \
  ASSAY_LANE_REDUCTION(prefix, cluster, max, max)                                    \
  ASSAY_LANE_REDUCTION(prefix, cluster, and, and)                                    \
  ASSAY_LANE_REDUCTION(prefix, cluster, or, or)                                      \
  ASSAY_LANE_REDUCTION(prefix, cluster, xor, xor)                                    \
  ASSAY_LANE_REDUCTION(prefix, cluster, prefix_inclusive_sum, inclusive_sum)         \
  ASSAY_LANE_REDUCTION(prefix, cluster, prefix_exclusive_sum, exclusive_sum)         \
  ASSAY_LANE_REDUCTION(prefix, cluster, prefix_inclusive_product, inclusive_product) \
  ASSAY_LANE_REDUCTION(prefix, cluster, prefix_exclusive_product, exclusive_product) \
  ASSAY_LANE_SHUFFLE(prefix, cluster, shuffle, shuffle)                              \
  ASSAY_LANE_SHUFFLE(prefix, cluster, broadcast, shuffle)                            \
  ASSAY_LANE_SHUFFLE(prefix, cluster, shuffle_up, shuffle_up)                        \
  ASSAY_LANE_SHUFFLE(prefix, cluster, shuffle_down, shuffle_down)                    \
  ASSAY_LANE_SHUFFLE(prefix, cluster, shuffle_xor, shuffle_xor)                      \
  ASSAY_LANE_SHUFFLE(prefix, cluster, shuffle_rotate_up, rotate_up)                  \
  ASSAY_LANE_SHUFFLE(prefix, cluster, shuffle_rotate_down, rotate_down)              \
  ASSAY_LANE_FILL(prefix, cluster, shuffle_and_fill_up, fill_up)                     \
  ASSAY_LANE_FILL(prefix, cluster, shuffle_and_fill_down, fill_down)                 \
  METAL_FUNC prefix##_vote prefix##_active_threads_mask() {                          \
    return prefix##_vote(__assay::cluster_ballot<cluster>(true));                     \
  }                                                                                  \
  METAL_FUNC prefix##_vote prefix##_ballot(bool predicate) {                         \
    return prefix##_vote(__assay::cluster_ballot<cluster>(predicate));                \
  }                                                                                  \
  METAL_FUNC bool prefix##_all(bool predicate) {                                     \
    return __assay::cluster_ballot<cluster>(!predicate) == 0;                         \
  }                                                                                  \
  METAL_FUNC bool prefix##_any(bool predicate) {                                     \
    return __assay::cluster_ballot<cluster>(predicate) != 0;                          \
  }                                                                                  \
  METAL_FUNC bool prefix##_is_first() {                                              \
    uint active = __assay::cluster_ballot<cluster>(true);                             \
    return uint(__builtin_ctz(active)) == (__assay::lane() & (cluster - 1));          \
  }                                                                                  \
  template <typename A, typename... Rest>                                            \
  METAL_FUNC __assay::common_t<A> prefix##_broadcast_first(A data,                    \
                                                          __assay::absent<Rest>...) { \
    uint first = uint(__builtin_ctz(__assay::cluster_ballot<cluster>(true)));         \
    return __assay::shuffle<cluster>(__assay::common_t<A>(data), first);               \
  }

ASSAY_LANE_FUNCTIONS(simd, __assay::simd_width)
ASSAY_LANE_FUNCTIONS(quad, __assay::quad_width)
#undef ASSAY_LANE_FUNCTIONS
#undef ASSAY_LANE_FILL
#undef ASSAY_LANE_SHUFFLE
#undef ASSAY_LANE_REDUCTION

// Types that Metal's own SIMD-group functions take: up to 32 bits, no bool, no bfloat.
template <typename T>
struct __is_valid_simdgroup_type
    : bool_constant<__is_arithmetic(T) && sizeof(T) <= 4 && !__is_same(T, bool) &&
                    !__is_same(T, bfloat)> {};
template <typename T, int N>
struct __is_valid_simdgroup_type<vec<T, N>> : __is_valid_simdgroup_type<T> {};

// Compute kernels have no helper threads.
METAL_FUNC bool simd_is_helper_thread() { return false; }

}  // namespace metal
