// Hyperbolic functions and their inverses. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_explog.h"

namespace metal {
namespace detail {

// exp(a) / 2 for 0 <= a, without overflow before the result itself overflows.
ASSAY_MATH float half_exp(float a) {
  float shifted;
  float r = reduce_exp(clamp_range(a, 0.0f, 91.0f), shifted);
  return scale_by_power(exp_kernel(r), shifted - 1.0f);
}

}  // namespace detail

namespace precise {

ASSAY_MATH float cosh(float x) {
  float h = detail::half_exp(detail::magnitude(x));
  return h + 0.25f / h;
}

ASSAY_MATH float sinh(float x) {
  float a = detail::magnitude(x);
  float h = detail::half_exp(a);
  float large = h - 0.25f / h;
  // sinh(a) for a <= 1, relative error 2^-31.4.
  float z = a * a;
  float p = 0x1.76771ep-19f;
  p = detail::mad(p, z, 0x1.a01c22p-13f);
  p = detail::mad(p, z, 0x1.1110eap-7f);
  p = detail::mad(p, z, 0x1.555556p-3f);
  float small = detail::mad(z * a, p, a);
  // A large z overflows to infinity, not to NaN, so the unused arm is harmless.
  return detail::flip_sign(a < 1.0f ? small : large, detail::sign_bit(x));
}

ASSAY_MATH float tanh(float x) {
  float a = detail::magnitude(x);
  // 1 - tanh(10) is below half an ulp of 1; a NaN passes the clamp.
  float e = detail::exp_normal(2.0f * detail::clamp_range(a, 0.0f, 10.0f));
  float large = 1.0f - 2.0f / (e + 1.0f);
  // tanh(a) for a <= 0.6, relative error 2^-28.4.
  float z = a * a;
  float p = -0x1.828776p-8f;
  p = detail::mad(p, z, 0x1.54c3c2p-6f);
  p = detail::mad(p, z, -0x1.b89abap-5f);
  p = detail::mad(p, z, 0x1.1109bep-3f);
  p = detail::mad(p, z, -0x1.55553ep-2f);
  float small = detail::mad(z * a, p, a);
  return detail::flip_sign(a < 0.6f ? small : large, detail::sign_bit(x));
}

// log(a + sqrt(a^2 + 1)), both sums with their rounding errors.
ASSAY_MATH float asinh(float x) {
  float a = detail::magnitude(x);
  // Beyond 2^30 the root equals a; doubling is left to the logarithm.
  bool huge = a > 0x1p30f;
  float c = huge ? 1.0f : a;
  float v = detail::mad(c, c, 1.0f);
  float v_low = detail::mad(c, c, 1.0f - v);
  float s = detail::root(v);
  float s_low = (detail::mad(-s, s, v) + v_low) * (0.5f / s);
  float u = s + c;
  float u_low = (s - u) + c + s_low;
  float large = detail::log_sum(huge ? a : u, huge ? 0.0f : u_low);
  large = huge ? large + 0x1.62e430p-1f : large;
  // asinh(a) for a <= 1/2, relative error 2^-33.9.
  float z = a * a;
  float p = 0x1.2f51eep-7f;
  p = detail::mad(p, z, -0x1.487dfcp-6f);
  p = detail::mad(p, z, 0x1.ec11eap-6f);
  p = detail::mad(p, z, -0x1.6d7ebcp-5f);
  p = detail::mad(p, z, 0x1.33323ap-4f);
  p = detail::mad(p, z, -0x1.555554p-3f);
  float small = detail::mad(z * a, p, a);
  float y = a < 0.5f ? small : large;
  return detail::flip_sign(a < detail::infinity() ? y : a, detail::sign_bit(x));
}

// log1p(t + sqrt(t^2 + 2t)) with t = x - 1.
ASSAY_MATH float acosh(float x) {
  bool huge = x > 0x1p30f;
  float t = (huge ? 2.0f : x) - 1.0f;
  float t_low = (huge ? 2.0f : x) - (t + 1.0f);
  float w = detail::mad(t, t, t + t);
  float w_low = detail::mad(t, t, (t + t) - w);
  w_low = detail::mad(2.0f * t_low, t + 1.0f, w_low);
  float s = detail::root(w);
  float s_low = (detail::mad(-s, s, w) + w_low) * (0.5f / s);
  float u = s + t;
  float u_low = (s > t ? (s - u) + t : (t - u) + s) + s_low + t_low;
  float y = huge ? detail::log_sum(x, 0.0f) + 0x1.62e430p-1f : detail::log1p_sum(u, u_low);
  y = x == 1.0f ? 0.0f : y;
  y = x < detail::infinity() ? y : x;
  return x < 1.0f ? detail::quiet_nan() : y;
}

// log((1 + a) / (1 - a)) / 2.
ASSAY_MATH float atanh(float x) {
  float a = detail::magnitude(x);
  float n = 1.0f + a;
  float n_low = a - (n - 1.0f);
  float d = 1.0f - a;
  float d_low = (1.0f - d) - a;
  float q = n / d;
  float q_low = (detail::mad(-q, d, n) + detail::mad(-q, d_low, n_low)) / d;
  float large = 0.5f * detail::log_sum(q, q_low);
  // atanh(a) for a <= 0.4, relative error 2^-29.7.
  float z = a * a;
  float p = 0x1.1cbba0p-3f;
  p = detail::mad(p, z, 0x1.a16b6ap-4f);
  p = detail::mad(p, z, 0x1.262290p-3f);
  p = detail::mad(p, z, 0x1.998b64p-3f);
  p = detail::mad(p, z, 0x1.55556ap-2f);
  float small = detail::mad(z * a, p, a);
  float y = a < 0.4f ? small : large;
  y = a == 1.0f ? detail::infinity() : y;
  y = a > 1.0f ? detail::quiet_nan() : y;
  return detail::flip_sign(y, detail::sign_bit(x));
}

}  // namespace precise
}  // namespace metal
