// Exponentials and logarithms. Part of metal_math_scalar.h.
// Polynomials are minimax fits with float coefficients; each comment gives interval and error.
#pragma once

#include "metal_math_scalar_base.h"

namespace metal {
namespace __assay {

// Adding this rounds to an integer and leaves it in the low bits; 254 more make room for the
// exponent biases of the two factors of scale_by_power.
ASSAY_MATH float rounder() { return 12582912.0f; }
ASSAY_MATH float shifter() { return 12583166.0f; }

// y * 2^n where shifted = shifter() + n and -280 <= n <= 254, rounded once for y near 1.
// Two factors, because one would not reach subnormal or almost infinite results.
ASSAY_MATH float scale_by_power(float y, float shifted) {
  unsigned both = float_bits(shifted);
  unsigned first = both >> 1;
  return y * bits_float(first << 23) * bits_float((both - first) << 23);
}

// The same for -126 <= n <= 127.
ASSAY_MATH float scale_normal(float y, float shifted) {
  return y * bits_float((float_bits(shifted) - 127u) << 23);
}

// Ordering of the operands lets a NaN through and makes one instruction of each select.
ASSAY_MATH float clamp_range(float x, float low, float high) {
  x = low > x ? low : x;
  return high < x ? high : x;
}

// Reduces x to r + n ln2, |r| <= ln2 / 2; returns r. The first step is exact.
ASSAY_MATH_OUT float reduce_exp(float x, ASSAY_THREAD float& shifted) {
  shifted = mad(x, 0x1.715476p+0f, shifter());
  float n = shifted - shifter();
  float r = mad(n, -0x1.62e430p-1f, x);
  return mad(n, 0x1.05c610p-29f, r);
}

// exp(r) for |r| <= 0.3467, relative error 2^-28.2 before rounding.
ASSAY_MATH float exp_kernel(float r) {
  float p = 0x1.694cd2p-10f;
  p = mad(p, r, 0x1.123988p-7f);
  p = mad(p, r, 0x1.555a26p-5f);
  p = mad(p, r, 0x1.555492p-3f);
  p = mad(p, r, 0x1.fffffap-2f);
  return mad(r * r, p, r) + 1.0f;
}

// 2^r for |r| <= 0.5, relative error 2^-28.0 before rounding.
ASSAY_MATH float exp2_kernel(float r) {
  float p = 0x1.3fad5ep-13f;
  p = mad(p, r, 0x1.5f0ca8p-10f);
  p = mad(p, r, 0x1.3b3096p-7f);
  p = mad(p, r, 0x1.c6af74p-5f);
  p = mad(p, r, 0x1.ebfbd8p-3f);
  p = mad(p, r, 0x1.62e430p-1f);
  return mad(p, r, 1.0f);
}

// y 2^n, y near 1, shifted = rounder() + n: the end of an exponential of x, whose result is normal
// where |x| < ordinary. Beyond `outside` it is zero or infinite, and y may be anything.
ASSAY_MATH float scale_result(float y, float shifted, float x, float ordinary, float outside) {
  float result = bits_float(float_bits(y) + (float_bits(shifted) << 23));
  if (ASSAY_RARELY(!(magnitude(x) < ordinary))) {
    float n = clamp_range(shifted - rounder(), -152.0f, 130.0f);
    result = scale_by_power(magnitude(x) > outside ? 1.0f : y, n + shifter());
  }
  return result;
}

// exp(x) where the result is certain to be normal: |x| <= 87.
ASSAY_MATH float exp_normal(float x) {
  float shifted;
  float r = reduce_exp(x, shifted);
  return scale_normal(exp_kernel(r), shifted);
}

}  // namespace __assay

namespace precise {

ASSAY_MATH float exp(float x) {
  float shifted = __assay::mad(x, 0x1.715476p+0f, __assay::rounder());
  float n = shifted - __assay::rounder();
  float r = __assay::mad(n, -0x1.62e430p-1f, x);
  r = __assay::mad(n, 0x1.05c610p-29f, r);
  return __assay::scale_result(__assay::exp_kernel(r), shifted, x, 87.0f, 104.0f);
}

ASSAY_MATH float exp2(float x) {
  float shifted = x + __assay::rounder();
  float r = x - (shifted - __assay::rounder());
  return __assay::scale_result(__assay::exp2_kernel(r), shifted, x, 126.0f, 151.0f);
}

ASSAY_MATH float exp10(float x) {
  float shifted = __assay::mad(x, 0x1.a934f0p+1f, __assay::rounder());
  float n = shifted - __assay::rounder();
  float r = __assay::mad(n, -0x1.344136p-2f, x);
  r = __assay::mad(n, 0x1.ec10c0p-27f, r);
  // 10^r for |r| <= 0.1506, relative error 2^-28.3.
  float p = 0x1.a497f6p-3f;
  p = __assay::mad(p, r, 0x1.156bb2p-1f);
  p = __assay::mad(p, r, 0x1.2bdbdap+0f);
  p = __assay::mad(p, r, 0x1.046f9ap+1f);
  p = __assay::mad(p, r, 0x1.535248p+1f);
  p = __assay::mad(p, r, 0x1.26bb1cp+1f);
  return __assay::scale_result(__assay::mad(p, r, 1.0f), shifted, x, 37.9f, 46.0f);
}

}  // namespace precise

namespace __assay {

// exp(x) - 1 without cancellation; not part of MSL.
ASSAY_MATH float expm1(float x) {
  float shifted;
  float c = clamp_range(x, -20.0f, 89.0f);
  float r = reduce_exp(c, shifted);
  // (exp(r) - 1 - r) / r^2 on |r| <= 0.3467, relative error 2^-30.9 of the whole.
  float p = 0x1.a22dc2p-13f;
  p = mad(p, r, 0x1.6d4122p-10f);
  p = mad(p, r, 0x1.11100cp-7f);
  p = mad(p, r, 0x1.5554f2p-5f);
  p = mad(p, r, 0x1.555556p-3f);
  p = mad(p, r, 0.5f);
  // Half the power of two, because 2^128 does not exist.
  float s = bits_float((float_bits(shifted) - 128u) << 23);
  float y = mad(s, r * r * p, mad(s, r, s - 0.5f));
  return magnitude(x) < 0x1p-24f ? x : y + y;
}

// Splits a positive normal number: returns m in [2/3, 4/3) with x = m 2^k.
ASSAY_MATH_OUT float split_near_one(float x, ASSAY_THREAD int& k) {
  unsigned offset = float_bits(x) - 0x3f2aaaabu;
  k = (int)offset >> 23;
  return bits_float(float_bits(x) - (offset & 0xff800000u));
}

// The same for all positive finite numbers.
ASSAY_MATH_OUT float split_any_near_one(float x, ASSAY_THREAD int& k) {
  bool subnormal = x < 0x1p-126f;
  float m = split_near_one(subnormal ? x * 0x1p24f : x, k);
  k = subnormal ? k - 24 : k;
  return m;
}

// The same for the argument of a logarithm, with 1 for m and the logarithm for k where x is not in
// (0, infinity).
ASSAY_MATH_OUT float split_logarithm(float x, ASSAY_THREAD float& k) {
  int exponent;
  float m = split_near_one(x, exponent);
  k = (float)exponent;
  if (ASSAY_RARELY(float_bits(x) - 0x00800000u >= 0x7f000000u)) {
    bool subnormal = x > 0.0f && x < 0x1p-126f;
    m = split_near_one(x * 0x1p24f, exponent);
    m = subnormal ? m : 1.0f;
    float outside = x == 0.0f ? -infinity() : quiet_nan();
    outside = x > 0.0f ? x : outside;
    k = subnormal ? (float)(exponent - 24) : outside;
  }
  return m;
}

// log(1 + f) for -1/3 <= f < 1/3, relative error 2^-27.7 before rounding.
ASSAY_MATH float log1p_kernel(float f) {
  float p = -0x1.080c9ep-3f;
  p = mad(p, f, 0x1.1e73a0p-3f);
  p = mad(p, f, -0x1.f30e36p-4f);
  p = mad(p, f, 0x1.1ed424p-3f);
  p = mad(p, f, -0x1.559de4p-3f);
  p = mad(p, f, 0x1.99d05ep-3f);
  p = mad(p, f, -0x1.fffef0p-3f);
  p = mad(p, f, 0x1.555506p-2f);
  p = mad(p, f, -0.5f);
  return mad(f * f, p, f);
}

// The value of a logarithm outside (0, inf), `y` inside.
ASSAY_MATH float log_specials(float y, float x) {
  float outside = x == 0.0f ? -infinity() : quiet_nan();
  float upper = x < infinity() ? y : x;
  return x > 0.0f ? upper : outside;
}

// log(u + low) for 2^-120 <= u < infinity and |low| <= ulp(u).
ASSAY_MATH float log_sum(float u, float low) {
  int k;
  float m = split_near_one(u, k);
  // In two steps, because 2^-128 is subnormal.
  float f = m - 1.0f + low * 0.25f * bits_float((unsigned)(129 - k) << 23);
  return mad((float)k, 0x1.62e430p-1f, log1p_kernel(f));
}

// log(1 + x + low) for -1 < x < infinity, low small against x.
ASSAY_MATH float log1p_sum(float x, float low) {
  int k;
  split_near_one(1.0f + x, k);
  // 1 + f = (1 + x) 2^-k, rounded once; exact where k = 0. Two steps: 2^-128 is subnormal.
  float scale = 0.25f * bits_float((unsigned)(129 - k) << 23);
  float f = mad(x, scale, scale - 1.0f) + low * scale;
  return mad((float)k, 0x1.62e430p-1f, log1p_kernel(f));
}

// log(1 + x) without cancellation; not part of MSL.
ASSAY_MATH float log1p(float x) {
  float y = log1p_sum(x, 0.0f);
  y = magnitude(x) < 0x1p-24f ? x : y;
  float outside = x == -1.0f ? -infinity() : quiet_nan();
  float upper = x < infinity() ? y : x;
  return x > -1.0f ? upper : outside;
}

}  // namespace __assay

namespace precise {

ASSAY_MATH float log(float x) {
  float k;
  float l = __assay::log1p_kernel(__assay::split_logarithm(x, k) - 1.0f);
  // One word of ln2 is enough: its rounding error is 2^-28.4 of the value.
  return __assay::mad(k, 0x1.62e430p-1f, l);
}

ASSAY_MATH float log2(float x) {
  float k;
  float l = __assay::log1p_kernel(__assay::split_logarithm(x, k) - 1.0f);
  return __assay::mad(l, 0x1.715476p+0f, k);
}

ASSAY_MATH float log10(float x) {
  int k;
  float l = __assay::log1p_kernel(__assay::split_any_near_one(x, k) - 1.0f);
  float low = __assay::mad(l, -0x1.5b235ep-27f, (float)k * -0x1.ec10c0p-27f);
  float y = __assay::mad((float)k, 0x1.344136p-2f, __assay::mad(l, 0x1.bcb7b2p-2f, low));
  return __assay::log_specials(y, x);
}

}  // namespace precise
}  // namespace metal
