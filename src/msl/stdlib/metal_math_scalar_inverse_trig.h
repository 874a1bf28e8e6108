// Inverse trigonometric functions. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"

namespace metal {
namespace __assay {

// asin(sqrt(z)) = s + s * asin_kernel(z) with s = sqrt(z), z <= 1/4; relative error 2^-31.7.
ASSAY_MATH float asin_kernel(float z) {
  float p = 0x1.33d432p-5f;
  p = mad(p, z, 0x1.d7924cp-7f);
  p = mad(p, z, 0x1.04af34p-5f);
  p = mad(p, z, 0x1.6caab6p-5f);
  p = mad(p, z, 0x1.33389ep-4f);
  p = mad(p, z, 0x1.55554cp-3f);
  return p * z;
}

// atan(t) for |t| <= 1, relative error about 2^-28 before rounding; atan(1) is right to the bit.
ASSAY_MATH float atan_kernel(float t) {
  float z = t * t;
  float p = -0x1.d59598p-10f;
  p = mad(p, z, 0x1.6551e8p-7f);
  p = mad(p, z, -0x1.fe7e10p-6f);
  p = mad(p, z, 0x1.da9c5ap-5f);
  p = mad(p, z, -0x1.582614p-4f);
  p = mad(p, z, 0x1.c09488p-4f);
  p = mad(p, z, -0x1.24211cp-3f);
  p = mad(p, z, 0x1.9991e8p-3f);
  p = mad(p, z, -0x1.55553cp-2f);
  return mad(z * t, p, t);
}

}  // namespace __assay

namespace precise {

// Above 1/2: asin(a) = pi/2 - 2 asin(sqrt((1 - a) / 2)), where 1 - a is exact.
ASSAY_MATH float asin(float x) {
  float a = __assay::magnitude(x);
  bool far = a > 0.5f;
  float z = far ? __assay::mad(-0.5f, a, 0.5f) : a * a;
  float s = far ? __assay::root(z) : a;
  float y = __assay::mad(s, __assay::asin_kernel(z), s);
  float folded = __assay::mad(-2.0f, y, 0x1.921fb6p+0f) + -0x1.777a5cp-25f;
  return __assay::flip_sign(far ? folded : y, __assay::sign_bit(x));
}

ASSAY_MATH float acos(float x) {
  float a = __assay::magnitude(x);
  bool far = a > 0.5f;
  float z = far ? __assay::mad(-0.5f, a, 0.5f) : a * a;
  float s = far ? __assay::root(z) : a;
  float y = __assay::flip_sign(__assay::mad(s, __assay::asin_kernel(z), s), __assay::sign_bit(x));
  float near_zero = 0x1.921fb6p+0f - (y - -0x1.777a5cp-25f);
  float near_end = x < 0.0f ? __assay::mad(2.0f, y, 0x1.921fb6p+1f) + -0x1.777a5cp-24f : y + y;
  return far ? near_end : near_zero;
}

ASSAY_MATH float atan(float x) {
  float a = __assay::magnitude(x);
  bool far = a > 1.0f;
  float t = (far ? -1.0f : a) / (far ? a : 1.0f);
  float y = __assay::atan_kernel(t);
  y = far ? 0x1.921fb6p+0f + (y + -0x1.777a5cp-25f) : y;
  return __assay::flip_sign(y, __assay::sign_bit(x));
}

ASSAY_MATH float atan2(float y, float x) {
  float ax = __assay::magnitude(x);
  float ay = __assay::magnitude(y);
  bool steep = ay > ax;
  float small = steep ? ax : ay;
  float large = steep ? ay : ax;
  float t = small / large;
  t = large == 0.0f ? 0.0f : t;
  t = small == __assay::infinity() ? 1.0f : t;
  float p = __assay::atan_kernel(t);
  // From the first octant outwards; each constant is a sum of two floats.
  p = steep ? 0x1.921fb6p+0f - (p - -0x1.777a5cp-25f) : p;
  p = signbit(x) ? 0x1.921fb6p+1f - (p - -0x1.777a5cp-24f) : p;
  p = __assay::flip_sign(p, __assay::sign_bit(y));
  return isnan(x) || isnan(y) ? x + y : p;
}

}  // namespace precise
}  // namespace metal
