// What the rows of the table of element-wise ops need beyond Metal's own functions.
template <typename T>
inline T integer_abs(T a) {
  return a < T(0) ? T(-a) : a;
}
inline bool integer_abs(bool a) { return a; }

// Division of integers rounds towards minus infinity, and the remainder has the divisor's sign.
template <typename T>
inline T integer_floor_divide(T a, T b) {
  T quotient = a / b;
  return quotient * b != a && (a < T(0)) != (b < T(0)) ? T(quotient - T(1)) : quotient;
}
inline bool integer_floor_divide(bool a, bool b) { return b ? a : false; }
template <typename T>
inline T integer_remainder(T a, T b) {
  T rest = a % b;
  return rest != T(0) && (rest < T(0)) != (b < T(0)) ? T(rest + b) : rest;
}
inline bool integer_remainder(bool, bool) { return false; }
template <typename T>
inline T integer_power(T a, T b) {
  if (b < T(0)) return T(0);
  T result = T(1);
  for (; b != T(0); b = T(b >> 1)) {
    if ((b & T(1)) != T(0)) result = T(result * a);
    a = T(a * a);
  }
  return result;
}
inline bool integer_power(bool a, bool b) { return a || !b; }

inline float float_remainder(float a, float b) {
  float rest = metal::fmod(a, b);
  return rest != 0.0f && (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
}
inline float float_power(float a, float b) { return metal::precise::pow(a, b); }
inline float float_sigmoid(float a) {
  float y = 1.0f / (1.0f + metal::precise::exp(-metal::fabs(a)));
  return a < 0.0f ? 1.0f - y : y;
}

// Functions of our Metal library that Metal itself does not have.
inline float float_log1p(float a) { return metal::__assay::log1p(a); }
inline float float_expm1(float a) { return metal::__assay::expm1(a); }
inline float float_erf(float a) { return metal::__assay::erf(a); }

inline float float_logaddexp(float a, float b) {
  if (metal::isnan(a) || metal::isnan(b)) return NAN;
  float large = metal::max(a, b), small = metal::min(a, b);
  if (small == -INFINITY || large == INFINITY) return large;
  return large + float_log1p(metal::precise::exp(small - large));
}

// a times a polynomial in w = -log(1 - a²), or in its root where w is large. Both are interpolations
// at Chebyshev nodes: for w in [0, 5] with a relative error of 2^-23.5, for sqrt(w) in [2.23, 4] of
// 2^-26; beyond 4 no float below 1 leads.
inline float float_erfinv(float a) {
  float w = -metal::precise::log((1.0f - a) * (1.0f + a));
  float t = w - 2.5f;
  float p = 0x1.00d79ap-31f;
  p = metal::fma(p, t, -0x1.2c4526p-27f);
  p = metal::fma(p, t, 0x1.129bb8p-26f);
  p = metal::fma(p, t, 0x1.f3bcf6p-22f);
  p = metal::fma(p, t, -0x1.cb7b9ep-19f);
  p = metal::fma(p, t, -0x1.4cd6dcp-18f);
  p = metal::fma(p, t, 0x1.c9b83ap-13f);
  p = metal::fma(p, t, -0x1.486688p-10f);
  p = metal::fma(p, t, -0x1.11c3ccp-8f);
  p = metal::fma(p, t, 0x1.f91e8cp-3f);
  p = metal::fma(p, t, 0x1.805c5cp+0f);
  float u = metal::precise::sqrt(w) - 3.125f;
  float q = 0x1.0f0a24p-13f;
  q = metal::fma(q, u, -0x1.6e03ecp-13f);
  q = metal::fma(q, u, -0x1.52fac4p-12f);
  q = metal::fma(q, u, 0x1.57e938p-10f);
  q = metal::fma(q, u, -0x1.4a6a4ep-9f);
  q = metal::fma(q, u, 0x1.ef9684p-9f);
  q = metal::fma(q, u, -0x1.5b6920p-8f);
  q = metal::fma(q, u, 0x1.cdf90ap-8f);
  q = metal::fma(q, u, 0x1.00f3b6p+0f);
  q = metal::fma(q, u, 0x1.7aaa3cp+1f);
  float y = a * (w < 5.0f ? p : q);
  float x = metal::fabs(a);
  return x < 1.0f ? y : x == 1.0f ? metal::copysign(INFINITY, a) : NAN;
}
