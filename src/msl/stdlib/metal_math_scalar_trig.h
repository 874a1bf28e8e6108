// Sine, cosine and tangent, of radians and of multiples of pi. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_rounding.h"

namespace metal {
namespace __assay {

// Below this magnitude three words of pi reduce without loss; above it the long product with 2/pi
// below is used, in one branch that ordinary data never takes.
ASSAY_MATH bool needs_long_reduction(float a) { return a >= 0x1p17f; }

// frac(a / 2 pi) in units of 2^-64 for a >= 2^9, 62 bits below the quadrant. Multiplies the
// significand by the 96 bits of 2/pi that decide, chosen by the exponent; a is finite.
ASSAY_MATH unsigned long turns(float a) {
  unsigned b = float_bits(a);
  unsigned long m = (b & 0x007fffffu) | 0x00800000u;
  // First bit needed: 2^(exponent - 1); the leading zero word keeps the index positive.
  unsigned first = (b >> 23) - 120u;
  unsigned w0 = 0u, w1 = 0xa2f9836eu, w2 = 0x4e441529u, w3 = 0xfc2757d1u;
  unsigned w4 = 0xf534ddc0u, w5 = 0xdb629599u, w6 = 0x3c439041u, w7 = 0xfe5163abu;
  bool by4 = (first & 128u) != 0u, by2 = (first & 64u) != 0u, by1 = (first & 32u) != 0u;
  w0 = by4 ? w4 : w0;
  w1 = by4 ? w5 : w1;
  w2 = by4 ? w6 : w2;
  w3 = by4 ? w7 : w3;
  w0 = by2 ? w2 : w0;
  w1 = by2 ? w3 : w1;
  w2 = by2 ? w4 : w2;
  w3 = by2 ? w5 : w3;
  w4 = by2 ? w6 : w4;
  w0 = by1 ? w1 : w0;
  w1 = by1 ? w2 : w1;
  w2 = by1 ? w3 : w2;
  w3 = by1 ? w4 : w3;
  unsigned shift = first & 31u;
  unsigned long high = ((unsigned long)w0 << 32 | w1) << shift;
  high |= ((unsigned long)w2 << shift) >> 32;
  unsigned long next = (((unsigned long)w2 << 32 | w3) << shift) >> 32;
  return m * high + (m * next >> 32);
}

// A signed fraction of a quadrant, in units of 2^-62, as radians: returned value plus `low`.
ASSAY_MATH_OUT float quadrant_radians(long fraction, ASSAY_THREAD float& low) {
  float h = (float)fraction;
  float l = (float)(fraction - (long)h);
  float r = h * 0x1.921fb6p-62f;
  low = mad(l, 0x1.921fb6p-62f, mad(h, -0x1.777a5cp-87f, mad(h, 0x1.921fb6p-62f, -r)));
  return r;
}

// a - k pi/2 in [-pi/4, pi/4] for large a, plus `low`; `quadrant` gets k in its low two bits.
ASSAY_MATH_OUT float reduce_long(float a, ASSAY_THREAD unsigned& quadrant,
                                 ASSAY_THREAD float& low) {
  unsigned long t = turns(a);
  unsigned long rounded = t + (1ul << 61);
  quadrant = (unsigned)(rounded >> 62);
  float r = quadrant_radians((long)(t - (rounded & (3ul << 62))), low);
  return a < infinity() ? r : quiet_nan();
}

// The same for all a >= 0, to a little more than float precision, in one float.
ASSAY_MATH_OUT float reduce_quadrant(float a, ASSAY_THREAD unsigned& quadrant) {
  float shifted = mad(a, 0x1.45f306p-1f, 12582912.0f);
  float n = shifted - 12582912.0f;
  // The first step is exact; the words of pi/2 below it are negative.
  float r = mad(n, -0x1.921fb6p+0f, a);
  r = mad(n, 0x1.777a5cp-25f, r);
  r = mad(n, 0x1.ee59dap-50f, r);
  quadrant = float_bits(shifted);
  if (ASSAY_RARELY(needs_long_reduction(a))) {
    float low;
    r = reduce_long(a, quadrant, low);
    r += low;
  }
  return r;
}

// The same for all a >= 0, plus `low`, which is at most half an ulp.
ASSAY_MATH_OUT float reduce_quadrant_extended(float a, ASSAY_THREAD unsigned& quadrant,
                                              ASSAY_THREAD float& low) {
  float shifted = mad(a, 0x1.45f306p-1f, 12582912.0f);
  float n = shifted - 12582912.0f;
  float r1 = mad(n, -0x1.921fb6p+0f, a);
  float w = n * 0x1.777a5cp-25f;
  float r2 = r1 + w;
  float rest = (r1 - r2) + w + mad(n, 0x1.777a5cp-25f, -w);
  rest = mad(n, 0x1.ee59dap-50f, rest);
  // Near a multiple of pi/2 the first words cancel and the rest is no longer small.
  float r = r2 + rest;
  low = (r2 - r) + rest;
  quadrant = float_bits(shifted);
  if (ASSAY_RARELY(needs_long_reduction(a))) {
    r = reduce_long(a, quadrant, low);
  }
  return r;
}

// sin(r) for |r| <= 0.7858, relative error 2^-27.9 before rounding.
ASSAY_MATH float sin_kernel(float r) {
  float z = r * r;
  float p = -0x1.9953e0p-13f;
  p = mad(p, z, 0x1.110778p-7f);
  p = mad(p, z, -0x1.555546p-3f);
  return mad(z * r, p, r);
}

// cos(r) for |r| <= 0.7858, relative error 2^-33.0 before rounding.
ASSAY_MATH float cos_kernel(float r) {
  float z = r * r;
  float p = 0x1.99e904p-16f;
  p = mad(p, z, -0x1.6c0c2ap-10f);
  p = mad(p, z, 0x1.55554ap-5f);
  p = mad(p, z, -0.5f);
  return mad(p, z, 1.0f);
}

// Sine of the angle in the given quadrant: cosine of r in odd ones, negative in the lower half.
// Both are computed: a branch would cost lanes that differ more than the polynomial.
ASSAY_MATH float sin_in_quadrant(float r, unsigned quadrant) {
  float sine = sin_kernel(r);
  float cosine = cos_kernel(r);
  float y = (quadrant & 1u) != 0u ? cosine : sine;
  return flip_sign(y, (quadrant << 30) & 0x80000000u);
}

// sin(r + low) for |r| <= 0.7858, relative error 2^-32.2 before rounding.
ASSAY_MATH float sin_quadrant(float r, float low) {
  float z = r * r;
  float p = 0x1.77dff8p-19f;
  p = mad(p, z, -0x1.a04862p-13f);
  p = mad(p, z, 0x1.111164p-7f);
  p = mad(p, z, -0x1.555556p-3f);
  return r + mad(z * r, p, low);
}

// cos(r + low) for |r| <= 0.7858, relative error 2^-33.0 before rounding.
ASSAY_MATH float cos_quadrant(float r, float low) {
  float z = r * r;
  float p = 0x1.99e904p-16f;
  p = mad(p, z, -0x1.6c0c2ap-10f);
  p = mad(p, z, 0x1.55554ap-5f);
  float dip = 0.5f * z;
  float w = 1.0f - dip;
  return w + mad(z * z, p, ((1.0f - w) - dip) - r * low);
}

// tan(r + low) for |r| <= 0.7858, or its negated reciprocal; relative error 2^-29.5.
ASSAY_MATH float tan_quadrant(float r, float low, bool reciprocal) {
  float z = r * r;
  float p = 0x1.1ea51ep-8f;
  p = mad(p, z, 0x1.9406d0p-14f);
  p = mad(p, z, 0x1.62d4ccp-7f);
  p = mad(p, z, 0x1.5cbf9cp-6f);
  p = mad(p, z, 0x1.bad9d0p-5f);
  p = mad(p, z, 0x1.110d9ep-3f);
  p = mad(p, z, 0x1.555560p-2f);
  // The derivative of the tangent, 1 + tan^2, is between 1 and 2.
  float c = z * r * p;
  float t = r + c;
  c = mad(low, mad(t, t, 1.0f), (r - t) + c);
  // t + c is the tangent to about 30 bits.
  float inverse = -1.0f / t;
  float residual = mad(inverse, c, mad(inverse, t, 1.0f));
  float cotangent = mad(inverse, residual, inverse);
  return reciprocal ? (t == 0.0f ? inverse : cotangent) : t + c;
}

}  // namespace __assay

namespace precise {

// Computed for |x|, because adding the polynomial's correction to -0 would lose its sign.
ASSAY_MATH float sin(float x) {
  unsigned quadrant;
  float r = __assay::reduce_quadrant(__assay::magnitude(x), quadrant);
  return __assay::flip_sign(__assay::sin_in_quadrant(r, quadrant), __assay::sign_bit(x));
}

ASSAY_MATH float cos(float x) {
  unsigned quadrant;
  float r = __assay::reduce_quadrant(__assay::magnitude(x), quadrant);
  return __assay::sin_in_quadrant(r, quadrant + 1u);
}

// The same bits as sin and cos; one reduction and one pair of polynomials serve both.
ASSAY_MATH_OUT float sincos(float x, ASSAY_THREAD float& cosine) {
  unsigned quadrant;
  float r = __assay::reduce_quadrant(__assay::magnitude(x), quadrant);
  cosine = __assay::sin_in_quadrant(r, quadrant + 1u);
  return __assay::flip_sign(__assay::sin_in_quadrant(r, quadrant), __assay::sign_bit(x));
}

ASSAY_MATH float tan(float x) {
  unsigned quadrant;
  float low;
  float r = __assay::reduce_quadrant_extended(__assay::magnitude(x), quadrant, low);
  float t = __assay::tan_quadrant(r, low, (quadrant & 1u) != 0u);
  return __assay::flip_sign(t, __assay::sign_bit(x));
}

}  // namespace precise

namespace __assay {

// Reduces a >= 0 modulo 2 and then to a - k/2 in [-1/4, 1/4], exactly; k is in -2..2.
ASSAY_MATH_OUT float reduce_half(float a, ASSAY_THREAD int& k) {
  float y = mad(-2.0f, precise::rint(0.5f * a), a);
  float shifted = mad(2.0f, y, 12582912.0f);
  k = (int)(float_bits(shifted) - float_bits(12582912.0f));
  return mad(-0.5f, shifted - 12582912.0f, y);
}

// r pi as the returned value plus `low`.
ASSAY_MATH_OUT float times_pi(float r, ASSAY_THREAD float& low) {
  float h = r * 0x1.921fb6p+1f;
  low = mad(r, -0x1.777a5cp-24f, mad(r, 0x1.921fb6p+1f, -h));
  return h;
}

}  // namespace __assay

namespace precise {

// Zeros of sinpi have the sign of x, zeros of cospi are positive.
ASSAY_MATH float sinpi(float x) {
  int k;
  float low;
  float r = __assay::times_pi(__assay::reduce_half(__assay::magnitude(x), k), low);
  float y = (k & 1) != 0 ? __assay::cos_quadrant(r, low) : __assay::sin_quadrant(r, low);
  y = __assay::flip_sign(y, ((unsigned)k << 30) & 0x80000000u) + 0.0f;
  return __assay::flip_sign(y, __assay::sign_bit(x));
}

ASSAY_MATH float cospi(float x) {
  int k;
  float low;
  float r = __assay::times_pi(__assay::reduce_half(__assay::magnitude(x), k), low);
  float y = (k & 1) != 0 ? __assay::sin_quadrant(r, low) : __assay::cos_quadrant(r, low);
  return __assay::flip_sign(y, ((unsigned)(k + 1) << 30) & 0x80000000u) + 0.0f;
}

// Zeros and poles alternate in sign, as if x came from the side of zero.
ASSAY_MATH float tanpi(float x) {
  int k;
  float low;
  float r = __assay::reduce_half(__assay::magnitude(x), k);
  bool odd = (k & 1) != 0;
  float h = __assay::times_pi(r, low);
  float t = __assay::tan_quadrant(h, low, odd);
  float pole = k > 0 ? __assay::infinity() : -__assay::infinity();
  float exact = odd ? pole : k == 0 ? 0.0f : -0.0f;
  return __assay::flip_sign(r == 0.0f ? exact : t, __assay::sign_bit(x));
}

}  // namespace precise
}  // namespace metal
