// Building blocks of the scalar math library: bit access, classification, minimum and maximum,
// scaling by powers of two. Part of metal_math_scalar.h.
#pragma once

// Everything is inlined: the CPU vectoriser works on whole kernels and `const` lets equal calls
// merge before that. Functions with a result by reference cannot be `const`.
#ifndef ASSAY_MATH
#define ASSAY_MATH inline __attribute__((always_inline, const))
#endif
#ifndef ASSAY_MATH_OUT
#define ASSAY_MATH_OUT inline __attribute__((always_inline))
#endif

// A condition that ordinary arguments do not meet: the branch on it is kept out of their way. Not a
// function, whose result would not remember it.
#define ASSAY_RARELY(condition) __builtin_expect(condition, false)

// Address space of results by reference: thread memory in MSL, nothing in C++.
#ifndef ASSAY_THREAD
#if defined(__OPENCL_CPP_VERSION__)
#define ASSAY_THREAD __private
#else
#define ASSAY_THREAD
#endif
#endif

namespace metal {
namespace __assay {

ASSAY_MATH unsigned float_bits(float x) { return __builtin_bit_cast(unsigned, x); }
ASSAY_MATH float bits_float(unsigned b) { return __builtin_bit_cast(float, b); }

ASSAY_MATH float infinity() { return bits_float(0x7f800000u); }
ASSAY_MATH float quiet_nan() { return bits_float(0x7fc00000u); }

ASSAY_MATH float mad(float a, float b, float c) { return __builtin_fmaf(a, b, c); }

// One instruction, never a library call: the plain builtin would set errno for negative arguments.
ASSAY_MATH float root(float x) {
#if defined(__clang__)
  return __builtin_elementwise_sqrt(x);
#else
  return __builtin_sqrtf(x);
#endif
}

ASSAY_MATH float magnitude(float x) { return bits_float(float_bits(x) & 0x7fffffffu); }
ASSAY_MATH unsigned sign_bit(float x) { return float_bits(x) & 0x80000000u; }

// `x` with the sign bit flipped where `sign` (0 or 0x80000000) is set.
ASSAY_MATH float flip_sign(float x, unsigned sign) { return bits_float(float_bits(x) ^ sign); }

// 2^n for -126 <= n <= 127.
ASSAY_MATH float power_of_two(int n) { return bits_float((unsigned)(n + 127) << 23); }

}  // namespace __assay

namespace precise {

// Bit tests, so that they hold in fast-math modules too.
ASSAY_MATH bool isnan(float x) { return (__assay::float_bits(x) & 0x7fffffffu) > 0x7f800000u; }
ASSAY_MATH bool isinf(float x) { return (__assay::float_bits(x) & 0x7fffffffu) == 0x7f800000u; }
ASSAY_MATH bool isfinite(float x) { return (__assay::float_bits(x) & 0x7fffffffu) < 0x7f800000u; }
ASSAY_MATH bool isnormal(float x) {
  return (__assay::float_bits(x) & 0x7fffffffu) - 0x00800000u < 0x7f000000u;
}
ASSAY_MATH bool signbit(float x) { return (__assay::float_bits(x) >> 31) != 0u; }

ASSAY_MATH float fabs(float x) { return __assay::magnitude(x); }
ASSAY_MATH float copysign(float x, float y) {
  return __assay::bits_float((__assay::float_bits(x) & 0x7fffffffu) | __assay::sign_bit(y));
}
ASSAY_MATH float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
ASSAY_MATH float divide(float x, float y) { return x / y; }
ASSAY_MATH float sqrt(float x) { return __assay::root(x); }

// A NaN counts as a missing operand; the select order maps to one minimum and one blend on x86.
ASSAY_MATH float fmin(float x, float y) {
  float smaller = x < y ? x : y;
  return isnan(y) ? x : smaller;
}
ASSAY_MATH float fmax(float x, float y) {
  float larger = x > y ? x : y;
  return isnan(y) ? x : larger;
}
ASSAY_MATH float fmin3(float x, float y, float z) { return fmin(x, fmin(y, z)); }
ASSAY_MATH float fmax3(float x, float y, float z) { return fmax(x, fmax(y, z)); }
ASSAY_MATH float fmedian3(float x, float y, float z) {
  return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

ASSAY_MATH float fdim(float x, float y) {
  float difference = x - y;
  return x <= y ? 0.0f : difference;
}

}  // namespace precise

namespace __assay {

// One step of ldexp: scales x by as much of 2^n as one factor can hold; scale_rest is what is left
// of n. Stepping down by 102 rather than 126 keeps 24 bits above the subnormal range, so that only
// the last step can round.
ASSAY_MATH float scale_step(float x, int n) {
  return x * (n > 127 ? 0x1p127f : n < -126 ? 0x1p-102f : 1.0f);
}
ASSAY_MATH int scale_rest(int n) { return n > 127 ? n - 127 : n < -126 ? n + 102 : n; }

// Normalises a positive finite number: x = mantissa * 2^exponent with mantissa in [1, 2).
ASSAY_MATH_OUT float split(float x, ASSAY_THREAD int& exponent) {
  bool subnormal = x < 0x1p-126f;
  unsigned b = float_bits(subnormal ? x * 0x1p24f : x);
  exponent = (int)(b >> 23) - (subnormal ? 151 : 127);
  return bits_float((b & 0x007fffffu) | 0x3f800000u);
}

}  // namespace __assay

namespace precise {

ASSAY_MATH float ldexp(float x, int n) {
  x = __assay::scale_step(x, n);
  n = __assay::scale_rest(n);
  x = __assay::scale_step(x, n);
  n = __assay::scale_rest(n);
  n = n > 127 ? 127 : n < -126 ? -126 : n;
  return x * __assay::power_of_two(n);
}

// Zero, infinity and NaN come back unchanged with exponent 0.
ASSAY_MATH_OUT float frexp(float x, ASSAY_THREAD int& exponent) {
  float a = __assay::magnitude(x);
  bool ordinary = a > 0.0f && a < __assay::infinity();
  int e;
  float m = __assay::split(a, e);
  exponent = ordinary ? e + 1 : 0;
  return ordinary ? copysign(0.5f * m, x) : x;
}

// The values for zero, NaN and infinity are those of FP_ILOGB0, FP_ILOGBNAN and INT_MAX.
ASSAY_MATH int ilogb(float x) {
  float a = __assay::magnitude(x);
  int e;
  __assay::split(a, e);
  int special = a == __assay::infinity() ? 0x7fffffff : -0x7fffffff - 1;
  return a > 0.0f && a < __assay::infinity() ? e : special;
}

ASSAY_MATH float nextafter(float x, float y) {
  unsigned b = __assay::float_bits(x);
  bool away = (x < y) == (x > 0.0f);
  unsigned stepped = away ? b + 1u : b - 1u;
  stepped = x == 0.0f ? __assay::sign_bit(y) | 1u : stepped;
  float moved = x == y ? y : __assay::bits_float(stepped);
  return isnan(x) || isnan(y) ? x + y : moved;
}

}  // namespace precise

namespace __assay {

// Exponent as a float; not part of MSL.
ASSAY_MATH float logb(float x) {
  float a = magnitude(x);
  int e;
  split(a, e);
  float special = a == 0.0f ? -infinity() : a;
  return a > 0.0f && a < infinity() ? (float)e : special;
}

}  // namespace __assay
}  // namespace metal
