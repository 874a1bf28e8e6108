// Rounding to integers. Written with additions of 2^23 instead of the compiler's builtins, which
// become library calls on x86 without SSE4.1. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"

namespace metal {
namespace __assay {

// Nearest integer, ties to even, for 0 <= a < 2^23.
ASSAY_MATH float round_small(float a) { return (a + 0x1p23f) - 0x1p23f; }

// `rounded` with the sign of x; x itself where it has no fraction bits (or is a NaN).
ASSAY_MATH float finish_rounding(float rounded, float x) {
  float value = bits_float(float_bits(rounded) | sign_bit(x));
  return magnitude(x) < 0x1p23f ? value : x;
}

}  // namespace __assay

namespace precise {

ASSAY_MATH float rint(float x) {
  return __assay::finish_rounding(__assay::round_small(__assay::magnitude(x)), x);
}

ASSAY_MATH float trunc(float x) {
  float a = __assay::magnitude(x);
  float t = __assay::round_small(a);
  return __assay::finish_rounding(t > a ? t - 1.0f : t, x);
}

// Ties away from zero. The difference is exact, so 0.49999997 does not round up.
ASSAY_MATH float round(float x) {
  float a = __assay::magnitude(x);
  float t = __assay::round_small(a);
  return __assay::finish_rounding(a - t == 0.5f ? t + 1.0f : t, x);
}

ASSAY_MATH float floor(float x) {
  float t = rint(x);
  return t > x ? t - 1.0f : t;
}

ASSAY_MATH float ceil(float x) {
  float t = rint(x);
  return t < x ? copysign(t + 1.0f, x) : t;
}

// In [0, 1): the largest float below 1 stands in where x - floor(x) would round to 1.
ASSAY_MATH float fract(float x) {
  float f = x - floor(x);
  f = f < 0x1.fffffep-1f ? f : 0x1.fffffep-1f;
  f = x == 0.0f || __assay::magnitude(x) == __assay::infinity() ? copysign(0.0f, x) : f;
  return isnan(x) ? x : f;
}

ASSAY_MATH_OUT float modf(float x, ASSAY_THREAD float& whole) {
  float t = trunc(x);
  whole = t;
  float fraction = __assay::magnitude(x) == __assay::infinity() ? 0.0f : x - t;
  return isnan(x) ? x : copysign(fraction, x);
}

}  // namespace precise
}  // namespace metal
