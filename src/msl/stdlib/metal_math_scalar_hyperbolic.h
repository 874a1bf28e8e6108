// Hyperbolic functions and their inverses. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_explog.h"

namespace metal {
namespace __assay {

// exp(a) / 2 for 0 <= a, without overflow before the result itself overflows.
ASSAY_MATH float half_exp(float a) {
  float shifted;
  float r = reduce_exp(clamp_range(a, 0.0f, 91.0f), shifted);
  return scale_by_power(exp_kernel(r), shifted - 1.0f);
}

}  // namespace __assay

namespace precise {

ASSAY_MATH float cosh(float x) {
  float h = __assay::half_exp(__assay::magnitude(x));
  return h + 0.25f / h;
}

ASSAY_MATH float sinh(float x) {
  float a = __assay::magnitude(x);
  float h = __assay::half_exp(a);
  float large = h - 0.25f / h;
  // sinh(a) for a <= 1, relative error 2^-31.4.
  float z = a * a;
  float p = 0x1.76771ep-19f;
  p = __assay::mad(p, z, 0x1.a01c22p-13f);
  p = __assay::mad(p, z, 0x1.1110eap-7f);
  p = __assay::mad(p, z, 0x1.555556p-3f);
  float small = __assay::mad(z * a, p, a);
  // A large z overflows to infinity, not to NaN, so the unused arm is harmless.
  return __assay::flip_sign(a < 1.0f ? small : large, __assay::sign_bit(x));
}

ASSAY_MATH float tanh(float x) {
  float a = __assay::magnitude(x);
  // 1 - tanh(10) is below half an ulp of 1; a NaN passes the clamp.
  float e = __assay::exp_normal(2.0f * __assay::clamp_range(a, 0.0f, 10.0f));
  float large = 1.0f - 2.0f / (e + 1.0f);
  // tanh(a) for a <= 0.6, relative error 2^-28.4.
  float z = a * a;
  float p = -0x1.828776p-8f;
  p = __assay::mad(p, z, 0x1.54c3c2p-6f);
  p = __assay::mad(p, z, -0x1.b89abap-5f);
  p = __assay::mad(p, z, 0x1.1109bep-3f);
  p = __assay::mad(p, z, -0x1.55553ep-2f);
  float small = __assay::mad(z * a, p, a);
  return __assay::flip_sign(a < 0.6f ? small : large, __assay::sign_bit(x));
}

// log(a + sqrt(a^2 + 1)), both sums with their rounding errors.
ASSAY_MATH float asinh(float x) {
  float a = __assay::magnitude(x);
  // Beyond 2^30 the root equals a; doubling is left to the logarithm.
  bool huge = a > 0x1p30f;
  float c = huge ? 1.0f : a;
  float v = __assay::mad(c, c, 1.0f);
  float v_low = __assay::mad(c, c, 1.0f - v);
  float s = __assay::root(v);
  float s_low = (__assay::mad(-s, s, v) + v_low) * (0.5f / s);
  float u = s + c;
  float u_low = (s - u) + c + s_low;
  float large = __assay::log_sum(huge ? a : u, huge ? 0.0f : u_low);
  large = huge ? large + 0x1.62e430p-1f : large;
  // asinh(a) for a <= 1/2, relative error 2^-33.9.
  float z = a * a;
  float p = 0x1.2f51eep-7f;
  p = __assay::mad(p, z, -0x1.487dfcp-6f);
  p = __assay::mad(p, z, 0x1.ec11eap-6f);
  p = __assay::mad(p, z, -0x1.6d7ebcp-5f);
  p = __assay::mad(p, z, 0x1.33323ap-4f);
  p = __assay::mad(p, z, -0x1.555554p-3f);
  float small = __assay::mad(z * a, p, a);
  float y = a < 0.5f ? small : large;
  return __assay::flip_sign(a < __assay::infinity() ? y : a, __assay::sign_bit(x));
}

// log1p(t + sqrt(t^2 + 2t)) with t = x - 1.
ASSAY_MATH float acosh(float x) {
  bool huge = x > 0x1p30f;
  float t = (huge ? 2.0f : x) - 1.0f;
  float t_low = (huge ? 2.0f : x) - (t + 1.0f);
  float w = __assay::mad(t, t, t + t);
  float w_low = __assay::mad(t, t, (t + t) - w);
  w_low = __assay::mad(2.0f * t_low, t + 1.0f, w_low);
  float s = __assay::root(w);
  float s_low = (__assay::mad(-s, s, w) + w_low) * (0.5f / s);
  float u = s + t;
  float u_low = (s > t ? (s - u) + t : (t - u) + s) + s_low + t_low;
  float y = huge ? __assay::log_sum(x, 0.0f) + 0x1.62e430p-1f : __assay::log1p_sum(u, u_low);
  y = x == 1.0f ? 0.0f : y;
  y = x < __assay::infinity() ? y : x;
  return x < 1.0f ? __assay::quiet_nan() : y;
}

// log((1 + a) / (1 - a)) / 2.
ASSAY_MATH float atanh(float x) {
  float a = __assay::magnitude(x);
  float n = 1.0f + a;
  float n_low = a - (n - 1.0f);
  float d = 1.0f - a;
  float d_low = (1.0f - d) - a;
  float q = n / d;
  float q_low = (__assay::mad(-q, d, n) + __assay::mad(-q, d_low, n_low)) / d;
  float large = 0.5f * __assay::log_sum(q, q_low);
  // atanh(a) for a <= 0.4, relative error 2^-29.7.
  float z = a * a;
  float p = 0x1.1cbba0p-3f;
  p = __assay::mad(p, z, 0x1.a16b6ap-4f);
  p = __assay::mad(p, z, 0x1.262290p-3f);
  p = __assay::mad(p, z, 0x1.998b64p-3f);
  p = __assay::mad(p, z, 0x1.55556ap-2f);
  float small = __assay::mad(z * a, p, a);
  float y = a < 0.4f ? small : large;
  y = a == 1.0f ? __assay::infinity() : y;
  y = a > 1.0f ? __assay::quiet_nan() : y;
  return __assay::flip_sign(y, __assay::sign_bit(x));
}

}  // namespace precise
}  // namespace metal
