// numeric_limits and the limit macros of C and MSL.
#pragma once

#include "metal_type_traits.h"

namespace metal {

enum float_round_style {
  round_indeterminate = -1,
  round_toward_zero = 0,
  round_to_nearest = 1,
  round_toward_infinity = 2,
  round_toward_neg_infinity = 3
};

enum float_denorm_style { denorm_indeterminate = -1, denorm_absent = 0, denorm_present = 1 };

namespace __assay {

struct no_limits {
  static constexpr constant bool is_specialized = false;
};

template <typename T>
struct integer_limits {
  static constexpr constant bool is_specialized = true;
  static constexpr constant bool is_signed = T(-1) < T(0);
  static constexpr constant bool is_integer = true;
  static constexpr constant bool is_exact = true;
  static constexpr constant bool has_infinity = false;
  static constexpr constant bool has_quiet_NaN = false;
  static constexpr constant bool has_signaling_NaN = false;
  static constexpr constant float_denorm_style has_denorm = denorm_absent;
  static constexpr constant bool has_denorm_loss = false;
  static constexpr constant bool is_iec559 = false;
  static constexpr constant bool is_bounded = true;
  static constexpr constant bool is_modulo = !is_signed;
  static constexpr constant bool traps = false;
  static constexpr constant bool tinyness_before = false;
  static constexpr constant float_round_style round_style = round_toward_zero;
  static constexpr constant int digits = __is_same(T, bool) ? 1 : 8 * sizeof(T) - is_signed;
  static constexpr constant int digits10 = digits * 30103 / 100000;
  static constexpr constant int max_digits10 = 0;
  static constexpr constant int radix = 2;
  static constexpr constant int min_exponent = 0;
  static constexpr constant int min_exponent10 = 0;
  static constexpr constant int max_exponent = 0;
  static constexpr constant int max_exponent10 = 0;

  static constexpr T max() { return T(__is_same(T, bool) ? 1 : (~0ul >> (64 - digits))); }
  static constexpr T min() { return is_signed ? T(-max() - 1) : T(0); }
  static constexpr T lowest() { return min(); }
  static constexpr T epsilon() { return T(0); }
  static constexpr T round_error() { return T(0); }
  static constexpr T infinity() { return T(0); }
  static constexpr T quiet_NaN() { return T(0); }
  static constexpr T signaling_NaN() { return T(0); }
  static constexpr T denorm_min() { return T(0); }
};

// Mantissa counts the implicit bit. Values are built from their bits, since bfloat and half have
// no literals for all of them.
template <typename T, typename Bits, int Mantissa, int Exponent>
struct float_limits {
  static constexpr constant bool is_specialized = true;
  static constexpr constant bool is_signed = true;
  static constexpr constant bool is_integer = false;
  static constexpr constant bool is_exact = false;
  static constexpr constant bool has_infinity = true;
  static constexpr constant bool has_quiet_NaN = true;
  static constexpr constant bool has_signaling_NaN = true;
  static constexpr constant float_denorm_style has_denorm = denorm_present;
  static constexpr constant bool has_denorm_loss = false;
  static constexpr constant bool is_iec559 = true;
  static constexpr constant bool is_bounded = true;
  static constexpr constant bool is_modulo = false;
  static constexpr constant bool traps = false;
  static constexpr constant bool tinyness_before = false;
  static constexpr constant float_round_style round_style = round_to_nearest;
  static constexpr constant int digits = Mantissa;
  static constexpr constant int digits10 = (Mantissa - 1) * 30103 / 100000;
  static constexpr constant int max_digits10 = 2 + Mantissa * 30103 / 100000;
  static constexpr constant int radix = 2;
  static constexpr constant int max_exponent = 1 << (Exponent - 1);
  static constexpr constant int min_exponent = 3 - max_exponent;
  static constexpr constant int max_exponent10 = max_exponent * 30103 / 100000;
  static constexpr constant int min_exponent10 = (min_exponent - 1) * 30103 / 100000;

  static constexpr constant int stored = Mantissa - 1;
  static constexpr constant Bits exponent_mask = Bits(((1u << Exponent) - 1) << stored);

  static constexpr T from_bits(Bits bits) { return __builtin_bit_cast(T, bits); }
  static constexpr T max() { return from_bits(Bits(exponent_mask - 1)); }
  static constexpr T min() { return from_bits(Bits(1u << stored)); }
  static constexpr T lowest() { return from_bits(Bits((exponent_mask - 1) | sign_mask())); }
  static constexpr T epsilon() {
    return from_bits(Bits(unsigned(max_exponent - 1 - stored) << stored));
  }
  static constexpr T round_error() { return T(0.5f); }
  static constexpr T infinity() { return from_bits(exponent_mask); }
  static constexpr T quiet_NaN() { return from_bits(Bits(exponent_mask | (1u << (stored - 1)))); }
  static constexpr T signaling_NaN() {
    return from_bits(Bits(exponent_mask | (1u << (stored - 2))));
  }
  static constexpr T denorm_min() { return from_bits(Bits(1)); }
  static constexpr Bits sign_mask() { return Bits(1u << (stored + Exponent)); }
};

template <typename T>
using limits_of = conditional_t<
    __is_integral(T), integer_limits<T>,
    conditional_t<__is_same(T, float), float_limits<float, uint, 24, 8>,
                  conditional_t<__is_same(T, half), float_limits<half, ushort, 11, 5>,
                                conditional_t<__is_same(T, bfloat),
                                              float_limits<bfloat, ushort, 8, 8>, no_limits>>>>;

}  // namespace __assay

// Kernels specialise this one for their own types.
template <typename T>
struct _numeric_limits_impl : __assay::limits_of<T> {};

template <typename T>
struct numeric_limits : _numeric_limits_impl<remove_cv_t<remove_addrspace_t<T>>> {};

// Of a vector: the limit in every component.
template <typename T, int N>
struct _numeric_limits_impl<vec<T, N>> : numeric_limits<T> {
#define ASSAY_VECTOR_LIMIT(name) \
  static constexpr vec<T, N> name() { return vec<T, N>(numeric_limits<T>::name()); }
  ASSAY_VECTOR_LIMIT(max)
  ASSAY_VECTOR_LIMIT(min)
  ASSAY_VECTOR_LIMIT(lowest)
  ASSAY_VECTOR_LIMIT(epsilon)
  ASSAY_VECTOR_LIMIT(round_error)
  ASSAY_VECTOR_LIMIT(infinity)
  ASSAY_VECTOR_LIMIT(quiet_NaN)
  ASSAY_VECTOR_LIMIT(signaling_NaN)
  ASSAY_VECTOR_LIMIT(denorm_min)
#undef ASSAY_VECTOR_LIMIT
};

// Bit layout of floating-point types (unlocked by `#pragma METAL internals : enable`).
template <typename T>
struct _fp_encoding_traits {
  typedef numeric_limits<T> limits;
  typedef conditional_t<sizeof(T) == 2, ushort, uint> bits_type;
  static constexpr constant bits_type sign_mask = limits::sign_mask();
  static constexpr constant bits_type exponent_mask = limits::exponent_mask;
  static constexpr constant bits_type inf_mask = limits::exponent_mask;
  static constexpr constant bits_type mantissa_mask = bits_type((1u << limits::stored) - 1);
};

}  // namespace metal

#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_inff())
#define HUGE_VALH ((half)__builtin_inff())
#define HUGE_VALBF ((bfloat)__builtin_inff())
#define MAXFLOAT 0x1.fffffep127f
#define MAXHALF ((half)0x1.ffcp15f)
#define MAXBFLOAT ((bfloat)0x1.fep127f)
#define MAXBFLOAT ((bfloat)0x1.fep127f)

#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807l
#define LONG_MIN (-9223372036854775807l - 1l)
#define ULONG_MAX 18446744073709551615ul
#define LLONG_MAX LONG_MAX
#define LLONG_MIN LONG_MIN
#define ULLONG_MAX ULONG_MAX

#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define PTRDIFF_MAX LONG_MAX
#define PTRDIFF_MIN LONG_MIN

#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MIN

#define FLT_RADIX 2
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP 38
#define FLT_MAX_EXP 128
#define FLT_MIN_10_EXP (-37)
#define FLT_MIN_EXP (-125)
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define FLT_DECIMAL_DIG 9

#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP 4
#define HALF_MAX_EXP 16
#define HALF_MIN_10_EXP (-4)
#define HALF_MIN_EXP (-13)
#define HALF_MAX ((half)0x1.ffcp15f)
#define HALF_MIN ((half)0x1.0p-14f)
#define HALF_EPSILON ((half)0x1.0p-10f)
#define HALF_DECIMAL_DIG 5

#define BFLT_DIG 2
#define BFLT_MANT_DIG 8
#define BFLT_MAX_10_EXP 38
#define BFLT_MAX_EXP 128
#define BFLT_MIN_10_EXP (-37)
#define BFLT_MIN_EXP (-125)
#define BFLT_MAX ((bfloat)0x1.fep127f)
#define BFLT_MIN ((bfloat)0x1.0p-126f)
#define BFLT_EPSILON ((bfloat)0x1.0p-7f)
