// Reciprocal square root; cube root and hypotenuse, which MSL does not have. Part of
// metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"

namespace metal {
namespace precise {

ASSAY_MATH float rsqrt(float x) { return 1.0f / __assay::root(x); }

}  // namespace precise

namespace __assay {

ASSAY_MATH float cbrt(float x) {
  float a = magnitude(x);
  bool subnormal = a < 0x1p-126f;
  float v = subnormal ? a * 0x1p24f : a;
  // y ~ v^(-1/3): exponent arithmetic on the bits (3.5 %), then three Newton steps.
  float y = bits_float(0x54a2fa8cu - (unsigned)(float_bits(v) / 3u));
  for (int step = 0; step < 3; ++step) {
    float e = mad(-v * y, y * y, 1.0f);
    y = mad(y * e, 0x1.555556p-2f, y);
  }
  // One step on c = v y^2 itself, with the cube formed exactly enough to round well.
  float c = v * y * y;
  float square = c * c;
  float square_low = mad(c, c, -square);
  float residual = mad(-c, square_low, mad(-c, square, v));
  c = mad(residual * 0x1.555556p-2f, y * y, c);
  c = subnormal ? c * 0x1p-8f : c;
  float result = a > 0.0f && a < infinity() ? c : a;
  return flip_sign(result, sign_bit(x));
}

// An infinite side gives infinity even beside a NaN.
ASSAY_MATH float hypot(float x, float y) {
  float ax = magnitude(x);
  float ay = magnitude(y);
  float a = ax > ay ? ax : ay;
  float b = ax > ay ? ay : ax;
  // Powers of two keep the squares in range without rounding.
  float scale = a > 0x1p60f ? 0x1p-70f : a < 0x1p-40f ? 0x1p80f : 1.0f;
  float unscale = a > 0x1p60f ? 0x1p70f : a < 0x1p-40f ? 0x1p-80f : 1.0f;
  a *= scale;
  b *= scale;
  float r = root(mad(a, a, b * b)) * unscale;
  bool infinite = ax == infinity() || ay == infinity();
  return infinite ? infinity() : x != x || y != y ? quiet_nan() : r;
}

}  // namespace __assay
}  // namespace metal
