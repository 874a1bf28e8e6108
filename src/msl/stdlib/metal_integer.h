// Integer and bit functions, and the ones that integers and floats share (abs, min, max, clamp).
#pragma once

#include "metal_relational.h"

namespace metal {
namespace __assay {

template <typename T>
constexpr constant int bit_width = 8 * sizeof(T);

template <typename T>
using unsigned_t = make_unsigned_t<T>;

struct abs_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x) {
    if constexpr (__is_floating_point(T)) {
      typedef conditional_t<sizeof(T) == 2, ushort, uint> bits;
      return __builtin_bit_cast(T, bits(__builtin_bit_cast(bits, x) & bits(bits(~bits(0)) >> 1)));
    } else {
      return x < T(0) ? T(unsigned_t<T>(0) - unsigned_t<T>(x)) : x;
    }
  }
};

// A NaN operand counts as missing.
struct min_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y) {
    T smaller = x < y ? x : y;
    if constexpr (__is_floating_point(T)) return isnan_op::call(y) ? x : smaller;
    return smaller;
  }
};
struct max_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y) {
    T larger = x > y ? x : y;
    if constexpr (__is_floating_point(T)) return isnan_op::call(y) ? x : larger;
    return larger;
  }
};
struct min3_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y, T z) {
    return min_op::call(x, min_op::call(y, z));
  }
};
struct max3_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y, T z) {
    return max_op::call(x, max_op::call(y, z));
  }
};
struct median3_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y, T z) {
    return max_op::call(min_op::call(x, y), min_op::call(max_op::call(x, y), z));
  }
};
struct clamp_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T low, T high) {
    return min_op::call(max_op::call(x, low), high);
  }
};

struct absdiff_op {
  template <typename T>
  METAL_FUNC static constexpr unsigned_t<T> call(T x, T y) {
    typedef unsigned_t<T> U;
    return x > y ? U(U(x) - U(y)) : U(U(y) - U(x));
  }
};
// The saturating builtins promote narrow integers to int and then saturate to its range.
template <typename T>
METAL_FUNC constexpr T narrow_saturated(int exact) {
  constexpr int highest = int(unsigned_t<T>(~unsigned_t<T>(0)) >> (__is_signed(T) ? 1 : 0));
  constexpr int lowest = __is_signed(T) ? -highest - 1 : 0;
  return T(exact < lowest ? lowest : exact > highest ? highest : exact);
}
struct addsat_op {
  template <typename T>
  METAL_FUNC static T call(T x, T y) {
    if constexpr (sizeof(T) < 4) return narrow_saturated<T>(int(x) + int(y));
    return __builtin_elementwise_add_sat(x, y);
  }
};
struct subsat_op {
  template <typename T>
  METAL_FUNC static T call(T x, T y) {
    if constexpr (sizeof(T) < 4) return narrow_saturated<T>(int(x) - int(y));
    return __builtin_elementwise_sub_sat(x, y);
  }
};
// Averages without overflow: the bits both have, and half of those that differ.
struct hadd_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y) {
    return T((x & y) + ((x ^ y) >> 1));
  }
};
struct rhadd_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y) {
    return T((x | y) - ((x ^ y) >> 1));
  }
};

struct mulhi_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y) {
    if constexpr (sizeof(T) < 4) {
      return T((int(x) * int(y)) >> bit_width<T>);
    } else if constexpr (sizeof(T) == 4) {
      typedef conditional_t<__is_signed(T), long, ulong> Wide;
      return T((Wide(x) * Wide(y)) >> 32);
    } else if constexpr (__is_signed(T)) {
      return T(call(ulong(x), ulong(y)) - (x < 0 ? ulong(y) : 0) - (y < 0 ? ulong(x) : 0));
    } else {
      ulong low_low = (x & 0xffffffff) * (y & 0xffffffff);
      ulong high_low = (x >> 32) * (y & 0xffffffff);
      ulong low_high = (x & 0xffffffff) * (y >> 32);
      ulong middle = high_low + (low_low >> 32);
      ulong carried = low_high + (middle & 0xffffffff);
      return (x >> 32) * (y >> 32) + (middle >> 32) + (carried >> 32);
    }
  }
};
struct madhi_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y, T z) {
    return T(mulhi_op::call(x, y) + z);
  }
};
struct madsat_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y, T z) {
    T product = 0;
    T sum = 0;
    bool negative = (x < 0) != (y < 0);
    constexpr T highest = T(unsigned_t<T>(~unsigned_t<T>(0)) >> (__is_signed(T) ? 1 : 0));
    constexpr T lowest = __is_signed(T) ? T(-highest - 1) : T(0);
    if (!__builtin_mul_overflow(x, y, &product)) {
      bool overflow = __builtin_add_overflow(product, z, &sum);
      return overflow ? (z < 0 ? lowest : highest) : sum;
    }
    // The product lies outside the range by more than any z brings back, or by exactly z.
    T high = mulhi_op::call(x, y);
    unsigned_t<T> low = unsigned_t<T>(unsigned_t<T>(x) * unsigned_t<T>(y));
    unsigned_t<T> total = unsigned_t<T>(low + unsigned_t<T>(z));
    T carry = T(high + (total < low ? 1 : 0) + (z < 0 ? -1 : 0));
    bool fits = __is_signed(T) ? carry == T(T(total) < 0 ? -1 : 0) : carry == 0;
    return fits ? T(total) : negative ? lowest : highest;
  }
};
struct mul24_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y) {
    return T((T(unsigned_t<T>(x) << 8) >> 8) * (T(unsigned_t<T>(y) << 8) >> 8));
  }
};
struct mad24_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T y, T z) {
    return T(mul24_op::call(x, y) + z);
  }
};

struct clz_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x) {
    return T(__builtin_clzg(unsigned_t<T>(x), bit_width<T>));
  }
};
struct ctz_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x) {
    return T(__builtin_ctzg(unsigned_t<T>(x), bit_width<T>));
  }
};
struct popcount_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x) {
    return T(__builtin_popcountg(unsigned_t<T>(x)));
  }
};
struct reverse_bits_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x) {
    if constexpr (sizeof(T) == 1) return T(__builtin_bitreverse8(uchar(x)));
    if constexpr (sizeof(T) == 2) return T(__builtin_bitreverse16(ushort(x)));
    if constexpr (sizeof(T) == 4) return T(__builtin_bitreverse32(uint(x)));
    if constexpr (sizeof(T) == 8) return T(__builtin_bitreverse64(ulong(x)));
  }
};
struct rotate_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, T count) {
    typedef unsigned_t<T> U;
    int left = int(count) & (bit_width<T> - 1);
    int right = (bit_width<T> - left) & (bit_width<T> - 1);
    return T(U(U(x) << left) | U(U(x) >> right));
  }
};

template <typename T>
METAL_FUNC constexpr unsigned_t<T> low_bits(uint bits) {
  typedef unsigned_t<T> U;
  return bits >= uint(bit_width<T>) ? U(~U(0)) : U((U(1) << bits) - 1);
}
struct extract_bits_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T x, uint offset, uint bits) {
    typedef unsigned_t<T> U;
    if (bits == 0) return T(0);
    U field = U(U(U(x) >> offset) & low_bits<T>(bits));
    if constexpr (__is_signed(T)) {
      int unused = bit_width<T> - int(bits);
      return T(T(U(field << unused)) >> unused);
    }
    return T(field);
  }
};
struct insert_bits_op {
  template <typename T>
  METAL_FUNC static constexpr T call(T base, T insert, uint offset, uint bits) {
    typedef unsigned_t<T> U;
    U mask = bits == 0 ? U(0) : U(low_bits<T>(bits) << offset);
    return T((U(base) & U(~mask)) | (U(U(insert) << offset) & mask));
  }
};

}  // namespace __assay

// Those that floating-point types share exist in both math namespaces too.
#define ASSAY_SHARED_FUNCTION(n, name)      \
  ASSAY_FUNCTION_##n(common_t, name)        \
  ASSAY_FOR_INTEGERS(ASSAY_PLAIN_##n, name) \
  ASSAY_FOR_FLOATS(ASSAY_PLAIN_##n, name)
#define ASSAY_SHARED_FUNCTIONS      \
  ASSAY_SHARED_FUNCTION(1, abs)     \
  ASSAY_SHARED_FUNCTION(2, min)     \
  ASSAY_SHARED_FUNCTION(2, max)     \
  ASSAY_SHARED_FUNCTION(3, min3)    \
  ASSAY_SHARED_FUNCTION(3, max3)    \
  ASSAY_SHARED_FUNCTION(3, median3) \
  ASSAY_SHARED_FUNCTION(3, clamp)

ASSAY_SHARED_FUNCTIONS
namespace fast {
ASSAY_SHARED_FUNCTIONS
}
namespace precise {
ASSAY_SHARED_FUNCTIONS
}
#undef ASSAY_SHARED_FUNCTIONS
#undef ASSAY_SHARED_FUNCTION

#define ASSAY_INTEGER_FUNCTION(n, name) \
  ASSAY_FUNCTION_##n(integer_t, name)   \
  ASSAY_FOR_INTEGERS(ASSAY_PLAIN_##n, name)
ASSAY_INTEGER_FUNCTION(2, addsat)
ASSAY_INTEGER_FUNCTION(2, subsat)
ASSAY_INTEGER_FUNCTION(2, hadd)
ASSAY_INTEGER_FUNCTION(2, rhadd)
ASSAY_INTEGER_FUNCTION(2, mulhi)
ASSAY_INTEGER_FUNCTION(3, madhi)
ASSAY_INTEGER_FUNCTION(3, madsat)
ASSAY_INTEGER_FUNCTION(2, mul24)
ASSAY_INTEGER_FUNCTION(3, mad24)
ASSAY_INTEGER_FUNCTION(1, clz)
ASSAY_INTEGER_FUNCTION(1, ctz)
ASSAY_INTEGER_FUNCTION(1, popcount)
ASSAY_INTEGER_FUNCTION(1, reverse_bits)
#undef ASSAY_INTEGER_FUNCTION

template <typename A, typename B, typename T = __assay::integer_t<A, B>>
METAL_FUNC constexpr auto absdiff(A a, B b) {
  return __assay::lift<__assay::absdiff_op>(T(a), T(b));
}

template <typename A, typename B, typename T = __assay::integer_t<A>>
METAL_FUNC constexpr T rotate(A a, B count) {
  return __assay::lift<__assay::rotate_op>(T(a), T(count));
}

template <typename A, typename T = __assay::integer_t<A>>
METAL_FUNC constexpr T extract_bits(A a, uint offset, uint bits) {
  if constexpr (__assay::is_vec<T>) {
    typedef __assay::with_element_t<T, uint> field;
    return __assay::lift<__assay::extract_bits_op>(T(a), field(offset), field(bits));
  } else {
    return __assay::extract_bits_op::call(T(a), offset, bits);
  }
}

template <typename A, typename B, typename T = __assay::integer_t<A, B>>
METAL_FUNC constexpr T insert_bits(A base, B insert, uint offset, uint bits) {
  if constexpr (__assay::is_vec<T>) {
    typedef __assay::element_t<T> E;
    T result(base);
    T inserted(insert);
    result.x = __assay::insert_bits_op::call<E>(result.x, inserted.x, offset, bits);
    result.y = __assay::insert_bits_op::call<E>(result.y, inserted.y, offset, bits);
    if constexpr (sizeof(T) / sizeof(E) > 2) {
      result.z = __assay::insert_bits_op::call<E>(result.z, inserted.z, offset, bits);
    }
    if constexpr (__is_same(T, __assay::vec4<E>)) {
      result.w = __assay::insert_bits_op::call<E>(result.w, inserted.w, offset, bits);
    }
    return result;
  } else {
    return __assay::insert_bits_op::call(T(base), T(insert), offset, bits);
  }
}

}  // namespace metal
