// Gamma function and its logarithm, which MSL does not have. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_explog.h"
#include "metal_math_scalar_pow.h"
#include "metal_math_scalar_rounding.h"
#include "metal_math_scalar_trig.h"

namespace metal {
namespace __assay {

// gamma(x) / post_scale, as the returned value plus `low`, for -44 <= x <= 36 except poles.
// x = n + f with |f| <= 1/2; gamma(x) is gamma(1 + f) times or divided by the factors between,
// all of which are exact floats; their product carries its rounding error.
ASSAY_MATH_OUT float gamma_extended(float x, ASSAY_THREAD float& low,
                                    ASSAY_THREAD float& post_scale) {
  float n = precise::rint(x);
  float f = x - n;
  bool above = n > 0.0f;
  float t = above ? x - 1.0f : x;
  int count = (int)(above ? n - 1.0f : 1.0f - n);
  // The product may leave the range of float although the result does not.
  float p = above ? 0x1p-32f : n < -20.0f ? 0x1p-64f : 1.0f;
  post_scale = above ? 0x1p32f : n < -20.0f ? 0x1p-64f : 1.0f;
  float p_low = 0.0f;
  for (int i = 0; i < count; ++i) {
    float next = p * t;
    p_low = mad(p_low, t, mad(p, t, -next));
    p = next;
    t = above ? t - 1.0f : t + 1.0f;
  }

  // 1 / gamma(1 + f) - 1 on |f| <= 1/2, error 2^-29.8.
  float u = -0x1.b4f796p-13f;
  u = mad(u, f, -0x1.1bb6fap-10f);
  u = mad(u, f, 0x1.d87adcp-8f);
  u = mad(u, f, -0x1.3be9fap-7f);
  u = mad(u, f, -0x1.59a9f2p-5f);
  u = mad(u, f, 0x1.551320p-3f);
  u = mad(u, f, -0x1.581664p-5f);
  u = mad(u, f, -0x1.4fcf42p-1f);
  // The last two steps with their rounding errors, for the logarithm's sake.
  float v = u * f;
  float w = 0x1.2788d0p-1f + v;
  float w_low = (0x1.2788d0p-1f - w) + v;
  u = w * f;
  float r = 1.0f + u;
  float r_low = (1.0f - r) + u + mad(w_low, f, mad(w, f, -u));

  float product = p * r;
  float product_low = mad(p_low, r, mad(p, r_low, mad(p, r, -product)));
  float numerator = above ? p : 1.0f;
  float numerator_low = above ? p_low : 0.0f;
  float denominator = above ? r : product;
  float denominator_low = above ? r_low : product_low;
  float q = numerator / denominator;
  float rest = mad(-q, denominator, numerator) + mad(-q, denominator_low, numerator_low);
  low = magnitude(q) < infinity() ? rest / denominator : 0.0f;
  return q;
}

ASSAY_MATH float tgamma(float x) {
  float low;
  float scale;
  float c = precise::isnan(x) ? 1.0f : clamp_range(x, -44.0f, 36.0f);
  float q = gamma_extended(c, low, scale);
  float y = (q + low) * scale;
  float down = precise::floor(x);
  bool odd = precise::rint(0.5f * down) != 0.5f * down;
  y = x < -43.0f ? (odd ? -0.0f : 0.0f) : y;
  // Not x == 0, where the poles have a sign.
  y = x < 0.0f && down == x ? quiet_nan() : y;
  return precise::isnan(x) ? x : y;
}

// log(gamma(x)) for 2.5 <= x < infinity: Stirling's formula with a fitted correction.
ASSAY_MATH float lgamma_large(float x) {
  float z = 1.0f / x;
  float w = z * z;
  // (log(gamma(x)) - (x - 1/2) log(x) + x - log(2 pi) / 2) x, absolute error 2^-32.
  float p = 0x1.bb0a7cp-12f;
  p = mad(p, w, -0x1.1f2832p-11f);
  p = mad(p, w, 0x1.9ecdbcp-11f);
  p = mad(p, w, -0x1.6c152ap-9f);
  p = mad(p, w, 0x1.555556p-4f);
  float correction = mad(p, z, 0x1.0c97d6p-26f);

  float log2_low;
  float log2_x = log2_extended(x, log2_low);
  float l = log2_x * 0x1.62e430p-1f;
  float l_low = mad(log2_x, 0x1.62e430p-1f, -l);
  l_low = mad(log2_low, 0x1.62e430p-1f, mad(log2_x, -0x1.05c610p-29f, l_low));
  // (x - 1/2) l - x = (x - 1/2) (l - 1) - 1/2; the sum with log(2 pi) / 2 - 1/2 comes last.
  float m = l - 1.0f;
  float m_low = (l - (m + 1.0f)) + l_low;
  float h = x - 0.5f;
  float a = h * m;
  float a_low = mad(h, m_low, mad(h, m, -a));
  float s = a + 0x1.acfe38p-2f;
  float s_low = a > 0x1.acfe38p-2f ? (a - s) + 0x1.acfe38p-2f : (0x1.acfe38p-2f - s) + a;
  float y = s + (s_low + a_low + correction);
  return a < infinity() ? y : a;
}

// lgamma(1 + f) for -0.39 <= f <= 0.32, relative error 2^-25.6.
ASSAY_MATH float lgamma_near_one(float f) {
  float p = -0x1.3eeb86p-4f;
  p = mad(p, f, 0x1.19e4cep-3f);
  p = mad(p, f, -0x1.0144aep-3f);
  p = mad(p, f, 0x1.edda2ap-4f);
  p = mad(p, f, -0x1.221ea2p-3f);
  p = mad(p, f, 0x1.5bbf9ep-3f);
  p = mad(p, f, -0x1.a90590p-3f);
  p = mad(p, f, 0x1.15123ep-2f);
  p = mad(p, f, -0x1.9a4c96p-2f);
  p = mad(p, f, 0x1.a51a66p-1f);
  // The last sum cancels for larger f: keep its rounding error.
  float v = p * f;
  float w = v + -0x1.2788d0p-1f;
  return mad(w, f, ((-0x1.2788d0p-1f - w) + v) * f);
}

// lgamma(2 + f) for -0.69 <= f <= 1/2, relative error 2^-25.7.
ASSAY_MATH float lgamma_near_two(float f) {
  float p = 0x1.79e2bap-13f;
  p = mad(p, f, -0x1.0c2106p-12f);
  p = mad(p, f, 0x1.e5e976p-12f);
  p = mad(p, f, -0x1.35bbfap-10f);
  p = mad(p, f, 0x1.7c3132p-9f);
  p = mad(p, f, -0x1.e42bfap-8f);
  p = mad(p, f, 0x1.512e5ap-6f);
  p = mad(p, f, -0x1.13dfc4p-4f);
  p = mad(p, f, 0x1.4a34cep-2f);
  p = mad(p, f, 0x1.b0ee60p-2f);
  return p * f;
}

// log|gamma(x)|. Near its zeros on the negative axis the error is small in absolute terms only.
ASSAY_MATH float lgamma(float x) {
  float a = magnitude(x);
  bool reflect = x < -20.0f;
  float large = lgamma_large(reflect || x >= 2.5f ? a : 3.0f);
  // gamma(x) gamma(-x) = -pi / (x sin(pi x)).
  float s = magnitude(precise::sinpi(reflect ? x : 0.5f));
  float reflected = 0x1.250d04p+0f - precise::log(a) - precise::log(s) - large;

  float low;
  float scale;
  bool direct = x > -20.0f && x < 0.62f && a > 0x1p-60f;
  float g = gamma_extended(direct ? x : 1.0f, low, scale);
  scale = g < 0.0f ? -scale : scale;
  float body = log_sum(g * scale, low * scale);
  float y = direct ? body : -precise::log(a);
  y = x >= 0.62f ? lgamma_near_one(x - 1.0f) : y;
  y = x >= 1.32f ? lgamma_near_two(x - 2.0f) : y;
  y = x >= 2.5f ? large : y;
  y = reflect ? reflected : y;
  y = x <= 0.0f && precise::floor(x) == x ? infinity() : y;
  y = a == infinity() ? a : y;
  return precise::isnan(x) ? x : y;
}

}  // namespace __assay
}  // namespace metal
