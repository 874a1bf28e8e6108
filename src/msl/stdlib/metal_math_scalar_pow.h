// pow and powr: exp2(y log2(x)) with the logarithm and the product carried as unevaluated sums of
// two floats, about 2^-33 relative. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_explog.h"
#include "metal_math_scalar_rounding.h"

namespace metal {
namespace __assay {

// log2(x) for positive finite x as the returned value plus `low`.
ASSAY_MATH_OUT float log2_extended(float x, ASSAY_THREAD float& low) {
  int k;
  float m = split_any_near_one(x, k);
  // s = (m - 1) / (m + 1), |s| <= 0.2; log(m) = 2 atanh(s).
  float f = m - 1.0f;
  float d = m + 1.0f;
  float inverse = 1.0f / d;
  float s = f * inverse;
  float s_low = mad(-s, m - (d - 1.0f), mad(-s, d, f)) * inverse;
  float z = s * s;
  float z_low = mad(2.0f * s, s_low, mad(s, s, -z));
  // (atanh(s) / s - 1) / s^2 - 1/3 on |s| <= 0.2, absolute error 2^-28.7.
  float w = 0x1.e52272p-4f;
  w = mad(w, z, 0x1.2437aap-3f);
  w = mad(w, z, 0x1.999a34p-3f);
  w = w * z;
  float p = 0x1.555556p-2f + w;
  float p_low = (0x1.555556p-2f - p) + w + -0x1.555556p-27f;
  float q = z * p;
  float q_low = mad(z_low, p, mad(z, p_low, mad(z, p, -q)));
  float t = s * q;
  float t_low = mad(s_low, q, mad(s, q_low, mad(s, q, -t)));
  float a = s + t;
  float a_low = (s - a) + t + (t_low + s_low);
  // Times 2 / ln2, plus the exponent.
  float b = a * 0x1.715476p+1f;
  float b_low = mad(a, 0x1.4ae0c0p-25f, mad(a_low, 0x1.715476p+1f, mad(a, 0x1.715476p+1f, -b)));
  float h = (float)k + b;
  low = ((float)k - h) + b + b_low;
  return h;
}

// 2^(h + low), for any h; low is small against h and ignored where the result over- or underflows.
ASSAY_MATH float exp2_extended(float h, float low) {
  bool inside = magnitude(h) < 160.0f;
  float c = clamp_range(h, -160.0f, 160.0f);
  float shifted = c + shifter();
  float r = c - (shifted - shifter()) + (inside ? low : 0.0f);
  return scale_by_power(exp2_kernel(r), shifted);
}

// x^y for positive finite x.
ASSAY_MATH float pow_positive(float x, float y) {
  float low;
  float h = log2_extended(x, low);
  float product = h * y;
  return exp2_extended(product, mad(low, y, mad(h, y, -product)));
}

}  // namespace __assay

namespace precise {

ASSAY_MATH float pow(float x, float y) {
  float a = __assay::magnitude(x);
  float ay = __assay::magnitude(y);
  bool y_whole = rint(y) == y;
  bool y_odd = y_whole && ay < 0x1p24f && rint(0.5f * y) != 0.5f * y;
  unsigned sign = y_odd ? __assay::sign_bit(x) : 0u;

  // |x| = 0 or infinity, then infinite y.
  bool a_extreme = a == 0.0f || a == __assay::infinity();
  float extreme = (a == 0.0f) == (y < 0.0f) ? __assay::infinity() : 0.0f;
  bool y_infinite = ay == __assay::infinity();
  float limit = (a > 1.0f) == (y > 0.0f) ? __assay::infinity() : 0.0f;
  limit = a == 1.0f ? 1.0f : limit;

  float r = __assay::pow_positive(a, y);
  r = y_infinite ? limit : r;
  r = a_extreme ? extreme : r;
  r = __assay::flip_sign(r, sign);
  r = x < 0.0f && !y_whole && a < __assay::infinity() ? __assay::quiet_nan() : r;
  r = isnan(x) || isnan(y) ? x + y : r;
  return x == 1.0f || y == 0.0f ? 1.0f : r;
}

// For x >= 0 only, and strict: a NaN wherever exp(y log(x)) has no limit.
ASSAY_MATH float powr(float x, float y) {
  float a = __assay::magnitude(x);
  float ay = __assay::magnitude(y);
  bool a_extreme = a == 0.0f || a == __assay::infinity();
  float extreme = (a == 0.0f) == (y < 0.0f) ? __assay::infinity() : 0.0f;
  bool y_infinite = ay == __assay::infinity();
  float limit = (a > 1.0f) == (y > 0.0f) ? __assay::infinity() : 0.0f;

  float r = __assay::pow_positive(a, y);
  r = y_infinite ? limit : r;
  r = a_extreme ? extreme : r;
  r = y == 0.0f ? 1.0f : r;
  bool undefined = x < 0.0f || (a_extreme && y == 0.0f) || (a == 1.0f && y_infinite);
  r = undefined ? __assay::quiet_nan() : r;
  return isnan(x) || isnan(y) ? x + y : r;
}

}  // namespace precise
}  // namespace metal
