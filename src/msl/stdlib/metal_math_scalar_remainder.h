// Exact remainders: fmod, and remainder (not part of MSL). Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_rounding.h"

namespace metal {
namespace precise {

// Exact. Each round of the loop removes about 22 quotient bits by one fused multiply-subtract, so
// one round is enough while |x / y| < 2^22 and thirteen serve the whole range.
ASSAY_MATH float fmod(float x, float y) {
  float a = __assay::magnitude(x);
  float b = __assay::magnitude(y);
  bool defined = a < __assay::infinity() && b > 0.0f;
  float r = defined ? a : 0.0f;
  int exponent_b;
  __assay::split(b, exponent_b);
  while (r >= b && defined) {
    int exponent_r;
    __assay::split(r, exponent_r);
    int excess = exponent_r - exponent_b - 22;
    float step = ldexp(b, excess > 0 ? excess : 0);
    // The quotient is below 2^23; rounding makes it at most one too large, never too small.
    float q = trunc(r / step);
    r = __assay::mad(-q, step, r);
    r = r < 0.0f ? r + step : r;
  }
  return defined ? __assay::flip_sign(r, __assay::sign_bit(x)) : __assay::quiet_nan();
}

}  // namespace precise

namespace __assay {

// IEEE remainder: quotient rounded to nearest, ties to even.
ASSAY_MATH float remainder(float x, float y) {
  float b = magnitude(y);
  float r = precise::fmod(magnitude(x), b + b);
  // Overflow of a doubled value to infinity leaves these comparisons right.
  float once = r + r > b ? r - b : r;
  bool again = r + r > b && once + once >= b;
  float reduced = b == infinity() ? r : again ? once - b : once;
  float zero_kept = flip_sign(reduced, sign_bit(x));
  return b == 0.0f || precise::isnan(y) ? quiet_nan() : zero_kept;
}

}  // namespace __assay
}  // namespace metal
