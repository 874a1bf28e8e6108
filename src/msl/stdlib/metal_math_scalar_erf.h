// Error functions, which MSL does not have. Part of metal_math_scalar.h.
#pragma once

#include "metal_math_scalar_base.h"
#include "metal_math_scalar_explog.h"

namespace metal {
namespace __assay {

// erf(a) for 0 <= a <= 1, relative error 2^-29.3 before rounding.
ASSAY_MATH float erf_small(float a) {
  float z = a * a;
  float p = 0x1.4917a4p-14f;
  p = mad(p, z, -0x1.a3d812p-11f);
  p = mad(p, z, 0x1.540172p-8f);
  p = mad(p, z, -0x1.b7f88cp-6f);
  p = mad(p, z, 0x1.ce2cf2p-4f);
  p = mad(p, z, -0x1.81273ep-2f);
  p = mad(p, z, 0x1.06eba8p-3f);
  return mad(a, p, a);
}

ASSAY_MATH float erf(float x) {
  float a = magnitude(x);
  // -log(erfc(a)) for 1 <= a <= 4, relative error 2^-29.6; erf(4) rounds to 1.
  float c = clamp_range(a, 0.0f, 4.0f);
  float q = -0x1.b9001ep-20f;
  q = mad(q, c, 0x1.833410p-15f);
  q = mad(q, c, -0x1.3947c8p-11f);
  q = mad(q, c, 0x1.381c50p-8f);
  q = mad(q, c, -0x1.b0fca0p-6f);
  q = mad(q, c, 0x1.c2eb7ep-4f);
  q = mad(q, c, 0x1.437e18p-1f);
  q = mad(q, c, 0x1.215704p+0f);
  q = mad(q, c, -0x1.4f463cp-12f);
  float large = 1.0f - exp_normal(-q);
  return flip_sign(a < 1.0f ? erf_small(a) : large, sign_bit(x));
}

// exp(-a^2) (1 + 2a) erfc(a) exp(a^2) / (1 + 2a), each factor with its rounding error.
ASSAY_MATH float erfc_tail(float a) {
  // erfc(a) exp(a^2) (1 + 2a) - 1 in t for 0.45 <= a <= 10.1, error 2^-27.2.
  float t = (a - 2.0f) / (a + 2.0f);
  float p = 0x1.1554ecp-12f;
  p = mad(p, t, -0x1.48dbaap-12f);
  p = mad(p, t, -0x1.907350p-10f);
  p = mad(p, t, 0x1.3f3898p-10f);
  p = mad(p, t, 0x1.1ecc44p-7f);
  p = mad(p, t, -0x1.06f40ap-7f);
  p = mad(p, t, -0x1.bc36d8p-5f);
  p = mad(p, t, 0x1.4ff9c2p-3f);
  p = mad(p, t, -0x1.54078ap-3f);
  p = mad(p, t, -0x1.7bf5e8p-4f);
  p = mad(p, t, 0x1.1ba038p-2f);
  float n = 1.0f + p;
  float n_low = (1.0f - n) + p;
  float d = mad(2.0f, a, 1.0f);
  float d_low = mad(2.0f, a, 1.0f - d);
  float inverse = 1.0f / d;
  float q = n * inverse;
  float q_low = (mad(-q, d, n) + mad(-q, d_low, n_low)) * inverse;

  float s = a * a;
  float s_low = mad(a, a, -s);
  float shifted;
  float r = reduce_exp(-s, shifted);
  float u = 0x1.694cd2p-10f;
  u = mad(u, r, 0x1.123988p-7f);
  u = mad(u, r, 0x1.555a26p-5f);
  u = mad(u, r, 0x1.555492p-3f);
  u = mad(u, r, 0x1.fffffap-2f);
  u = mad(r * r, u, r);
  // (q + q_low) (1 + u) (1 - s_low)
  float low = mad(-q, s_low, q_low);
  low = mad(low, u, low);
  return scale_by_power(mad(q, u, low) + q, shifted);
}

ASSAY_MATH float erfc(float x) {
  float a = magnitude(x);
  float body = 1.0f - flip_sign(a < 1.0f ? erf_small(a) : erf(a), sign_bit(x));
  float tail = erfc_tail(clamp_range(x, 0.0f, 10.1f));
  return x < 0.47f ? body : tail;
}

}  // namespace __assay
}  // namespace metal
