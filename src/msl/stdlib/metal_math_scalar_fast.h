// metal::fast: fewer terms and no rare cases. Errors are a few ulp for ordinary arguments;
// subnormal arguments of logarithms count as zero, subnormal results of exponentials become zero,
// trigonometric arguments beyond 2^22 give some value in [-1, 1]. NaN and infinity still behave.
// What has no cheaper form is the precise function. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_explog.h"
#include "metal_math_scalar_hyperbolic.h"
#include "metal_math_scalar_inverse_trig.h"
#include "metal_math_scalar_pow.h"
#include "metal_math_scalar_remainder.h"
#include "metal_math_scalar_roots.h"
#include "metal_math_scalar_rounding.h"
#include "metal_math_scalar_trig.h"

namespace metal {
namespace fast {

using precise::acosh;
using precise::asinh;
using precise::atanh;
using precise::ceil;
using precise::copysign;
using precise::cospi;
using precise::divide;
using precise::fabs;
using precise::fdim;
using precise::floor;
using precise::fma;
using precise::fmod;
using precise::fract;
using precise::frexp;
using precise::ilogb;
using precise::isfinite;
using precise::isinf;
using precise::isnan;
using precise::isnormal;
using precise::ldexp;
using precise::modf;
using precise::nextafter;
using precise::rint;
using precise::round;
using precise::rsqrt;
using precise::signbit;
using precise::sinpi;
using precise::sqrt;
using precise::tanpi;
using precise::trunc;

// The result for NaN operands is either operand, as Metal allows here.
ASSAY_MATH float fmin(float x, float y) { return x < y ? x : y; }
ASSAY_MATH float fmax(float x, float y) { return x > y ? x : y; }
ASSAY_MATH float fmin3(float x, float y, float z) { return fmin(x, fmin(y, z)); }
ASSAY_MATH float fmax3(float x, float y, float z) { return fmax(x, fmax(y, z)); }
ASSAY_MATH float fmedian3(float x, float y, float z) {
  return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

}  // namespace fast

namespace __assay {

// 2^(n + r) as (2 2^r) 2^(n - 1), shifted = 12582912 + 126 + n, -126 <= n <= 128; zero for
// n = -126. Relative error 2^-23.3 for |r| <= 0.5.
ASSAY_MATH float exp2_fast(float r, float shifted) {
  float p = 0x1.5bfc72p-9f;
  p = mad(p, r, 0x1.3ceb06p-6f);
  p = mad(p, r, 0x1.c6b69cp-4f);
  p = mad(p, r, 0x1.ebf9bap-2f);
  p = mad(p, r, 0x1.62e42ap+0f);
  return mad(p, r, 2.0f) * bits_float(float_bits(shifted) << 23);
}

// x / ln2 = n + r for |x| < 90; returns r, shifted as exp2_fast wants it.
ASSAY_MATH_OUT float reduce_exp_fast(float x, ASSAY_THREAD float& shifted) {
  shifted = mad(x, 0x1.715476p+0f, 12583038.0f);
  float r = mad(x, 0x1.715476p+0f, -(shifted - 12583038.0f));
  return mad(x, 0x1.4ae0c0p-26f, r);
}

// exp(a) / 2 for a >= 0.
ASSAY_MATH float half_exp_fast(float a) {
  float shifted;
  float r = reduce_exp_fast(clamp_range(a, 0.0f, 89.42f), shifted);
  return exp2_fast(r, shifted - 1.0f);
}

// log2(m) + k with relative error 2^-22.4.
ASSAY_MATH float log2_fast(float x) {
  int k;
  float f = split_near_one(x, k) - 1.0f;
  float p = -0x1.c62b38p-3f;
  p = mad(p, f, 0x1.f9dfeep-3f);
  p = mad(p, f, -0x1.e51fd0p-3f);
  p = mad(p, f, 0x1.24682ap-2f);
  p = mad(p, f, -0x1.717178p-2f);
  p = mad(p, f, 0x1.ec82a2p-2f);
  p = mad(p, f, -0x1.715458p-1f);
  p = mad(p, f, 0x1.715472p+0f);
  float y = mad(p, f, (float)k);
  float upper = x < infinity() ? y : x;
  float outside = x >= 0.0f ? -infinity() : quiet_nan();
  return x >= 0x1p-126f ? upper : outside;
}

// sin(r) for |r| <= pi / 2, relative error 2^-27.2 before rounding; within [-1, 1] for all r.
ASSAY_MATH float sin_fast(float r) {
  float z = r * r;
  float p = 0x1.5dbbe2p-19f;
  p = mad(p, z, -0x1.9f7044p-13f);
  p = mad(p, z, 0x1.110ed8p-7f);
  p = mad(p, z, -0x1.55554cp-3f);
  return clamp_range(mad(z * r, p, r), -1.0f, 1.0f);
}

}  // namespace __assay

namespace fast {

ASSAY_MATH float exp2(float x) {
  x = __assay::clamp_range(x, -126.0f, 128.0f);
  float shifted = x + 12583038.0f;
  return __assay::exp2_fast(x - (shifted - 12583038.0f), shifted);
}

ASSAY_MATH float exp(float x) {
  float shifted;
  float r = __assay::reduce_exp_fast(__assay::clamp_range(x, -87.4f, 88.8f), shifted);
  return __assay::exp2_fast(r, shifted);
}

ASSAY_MATH float exp10(float x) {
  x = __assay::clamp_range(x, -37.95f, 38.55f);
  float shifted = __assay::mad(x, 0x1.a934f0p+1f, 12583038.0f);
  float r = __assay::mad(x, 0x1.a934f0p+1f, -(shifted - 12583038.0f));
  return __assay::exp2_fast(__assay::mad(x, 0x1.2f346ep-24f, r), shifted);
}

ASSAY_MATH float log2(float x) { return __assay::log2_fast(x); }
ASSAY_MATH float log(float x) { return __assay::log2_fast(x) * 0x1.62e430p-1f; }
ASSAY_MATH float log10(float x) { return __assay::log2_fast(x) * 0x1.344136p-2f; }

// Relative error grows with |y log2(x)|: about 2^-23 times its value.
ASSAY_MATH float powr(float x, float y) { return exp2(y * __assay::log2_fast(x)); }

// Negative x with whole y as in precise::pow, NaN with any other y.
ASSAY_MATH float pow(float x, float y) {
  float r = exp2(y * __assay::log2_fast(__assay::magnitude(x)));
  float y_halved = 0.5f * y;
  bool odd = rint(y_halved) != y_halved;
  float negative = rint(y) != y ? __assay::quiet_nan() : odd ? -r : r;
  r = x < 0.0f ? negative : r;
  return y == 0.0f || x == 1.0f ? 1.0f : r;
}

ASSAY_MATH float sin(float x) {
  float shifted = __assay::mad(x, 0x1.45f306p-2f, 12582912.0f);
  float n = shifted - 12582912.0f;
  float r = __assay::mad(n, -0x1.921fb6p+1f, x);
  r = __assay::mad(n, 0x1.777a5cp-24f, r);
  return __assay::flip_sign(__assay::sin_fast(r), __assay::float_bits(shifted) << 31);
}

ASSAY_MATH float cos(float x) {
  float shifted = __assay::mad(x, 0x1.45f306p-2f, -0.5f) + 12582912.0f;
  // Odd multiples of pi/2. Not n + 1/2: a fast-math back end would fold the two additions.
  float n = __assay::mad(2.0f, shifted - 12582912.0f, 1.0f);
  float r = __assay::mad(n, -0x1.921fb6p+0f, x);
  r = __assay::mad(n, 0x1.777a5cp-25f, r);
  return __assay::flip_sign(__assay::sin_fast(r), ~__assay::float_bits(shifted) << 31);
}

ASSAY_MATH_OUT float sincos(float x, ASSAY_THREAD float& cosine) {
  cosine = cos(x);
  return sin(x);
}

ASSAY_MATH float tan(float x) { return sin(x) / cos(x); }

}  // namespace fast

namespace __assay {

// As asin_kernel, relative error 2^-23.4.
ASSAY_MATH float asin_fast(float z) {
  float p = 0x1.993a88p-5f;
  p = mad(p, z, 0x1.47f5c4p-5f);
  p = mad(p, z, 0x1.34dc56p-4f);
  p = mad(p, z, 0x1.554fa2p-3f);
  return p * z;
}

// As atan_kernel, relative error 2^-23.1.
ASSAY_MATH float atan_fast(float t) {
  float z = t * t;
  float p = -0x1.3c1580p-8f;
  p = mad(p, z, 0x1.954650p-6f);
  p = mad(p, z, -0x1.ed3512p-5f);
  p = mad(p, z, 0x1.985134p-4f);
  p = mad(p, z, -0x1.1f916ap-3f);
  p = mad(p, z, 0x1.99127cp-3f);
  p = mad(p, z, -0x1.5552dep-2f);
  return mad(z * t, p, t);
}

}  // namespace __assay

namespace fast {

ASSAY_MATH float asin(float x) {
  float a = __assay::magnitude(x);
  bool far = a > 0.5f;
  float z = far ? __assay::mad(-0.5f, a, 0.5f) : a * a;
  float s = far ? __assay::root(z) : a;
  float y = __assay::mad(s, __assay::asin_fast(z), s);
  return __assay::flip_sign(far ? __assay::mad(-2.0f, y, 0x1.921fb6p+0f) : y, __assay::sign_bit(x));
}

ASSAY_MATH float acos(float x) {
  float a = __assay::magnitude(x);
  bool far = a > 0.5f;
  float z = far ? __assay::mad(-0.5f, a, 0.5f) : a * a;
  float s = far ? __assay::root(z) : a;
  float y = __assay::flip_sign(__assay::mad(s, __assay::asin_fast(z), s), __assay::sign_bit(x));
  float end = x < 0.0f ? 0x1.921fb6p+1f : 0.0f;
  return far ? __assay::mad(2.0f, y, end) : 0x1.921fb6p+0f - y;
}

ASSAY_MATH float atan(float x) {
  float a = __assay::magnitude(x);
  bool far = a > 1.0f;
  float y = __assay::atan_fast((far ? -1.0f : a) / (far ? a : 1.0f));
  return __assay::flip_sign(far ? 0x1.921fb6p+0f + y : y, __assay::sign_bit(x));
}

ASSAY_MATH float atan2(float y, float x) {
  float ax = __assay::magnitude(x);
  float ay = __assay::magnitude(y);
  bool steep = ay > ax;
  float small = steep ? ax : ay;
  float large = steep ? ay : ax;
  float t = small / large;
  t = small == large ? (large == 0.0f ? 0.0f : 1.0f) : t;
  float p = __assay::atan_fast(t);
  p = steep ? 0x1.921fb6p+0f - p : p;
  p = signbit(x) ? 0x1.921fb6p+1f - p : p;
  return __assay::flip_sign(p, __assay::sign_bit(y));
}

ASSAY_MATH float cosh(float x) {
  float h = __assay::half_exp_fast(__assay::magnitude(x));
  return h + 0.25f / h;
}

ASSAY_MATH float sinh(float x) {
  float a = __assay::magnitude(x);
  float h = __assay::half_exp_fast(a);
  float large = h - 0.25f / h;
  // sinh(a) for a <= 1, relative error 2^-25.3.
  float z = a * a;
  float p = 0x1.ab3fd0p-13f;
  p = __assay::mad(p, z, 0x1.10f768p-7f);
  p = __assay::mad(p, z, 0x1.555598p-3f);
  float small = __assay::mad(z * a, p, a);
  return __assay::flip_sign(a < 1.0f ? small : large, __assay::sign_bit(x));
}

ASSAY_MATH float tanh(float x) {
  float a = __assay::magnitude(x);
  float large = 1.0f - 2.0f / (exp(2.0f * a) + 1.0f);
  // tanh(a) for a <= 0.55, relative error 2^-24.7.
  float z = a * a;
  float p = 0x1.0d5184p-6f;
  p = __assay::mad(p, z, -0x1.af7d38p-5f);
  p = __assay::mad(p, z, 0x1.10cefcp-3f);
  p = __assay::mad(p, z, -0x1.555452p-2f);
  float small = __assay::mad(z * a, p, a);
  return __assay::flip_sign(a < 0.55f ? small : large, __assay::sign_bit(x));
}

}  // namespace fast
}  // namespace metal
