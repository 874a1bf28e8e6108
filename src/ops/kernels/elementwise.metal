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

// log(u) * a / (u - 1) with u = 1 + a rounded: the error of u cancels in the quotient.
inline float float_log1p(float a) {
  float u = 1.0f + a;
  if (u == 1.0f) return a;
  if (metal::isinf(u)) return u;
  return metal::precise::log(u) * (a / (u - 1.0f));
}
// The series while it is exact enough; else exp itself.
inline float float_expm1(float a) {
  if (metal::fabs(a) > 0.5f) return metal::precise::exp(a) - 1.0f;
  float sum = 1.0f / 40320.0f;
  sum = metal::fma(sum, a, 1.0f / 5040.0f);
  sum = metal::fma(sum, a, 1.0f / 720.0f);
  sum = metal::fma(sum, a, 1.0f / 120.0f);
  sum = metal::fma(sum, a, 1.0f / 24.0f);
  sum = metal::fma(sum, a, 1.0f / 6.0f);
  sum = metal::fma(sum, a, 0.5f);
  return metal::fma(sum * a, a, a);
}
inline float float_logaddexp(float a, float b) {
  if (metal::isnan(a) || metal::isnan(b)) return NAN;
  float large = metal::max(a, b), small = metal::min(a, b);
  if (small == -INFINITY || large == INFINITY) return large;
  return large + float_log1p(metal::precise::exp(small - large));
}

// Near zero the series of erf; beyond 1 the continued fraction of erfc in the form of Abramowitz and
// Stegun 7.1.14, which has converged after these terms.
inline float float_erf(float a) {
  float x = metal::fabs(a);
  if (x < 1.5f) {
    float square = x * x, term = x, sum = x;
    for (int n = 1; n < 14; ++n) {
      term *= -square / float(n);
      sum += term / float(2 * n + 1);
    }
    return metal::copysign(sum * 1.12837916709551257390f, a);
  }
  if (x > 4.0f) return metal::isnan(a) ? a : metal::copysign(1.0f, a);
  float fraction = 0.0f;
  for (int n = 30; n > 0; --n) fraction = 0.5f * float(n) / (x + fraction);
  float tail = metal::precise::exp(-x * x) * 0.56418958354775628695f / (x + fraction);
  return metal::copysign(1.0f - tail, a);
}

// A first guess by Winitzki's formula, then Newton steps on erf; the tails use erfc's slope.
inline float float_erfinv(float a) {
  float x = metal::fabs(a);
  if (!(x < 1.0f)) return x == 1.0f ? metal::copysign(INFINITY, a) : NAN;
  if (x == 0.0f) return a;
  float w = float_log1p(-x * x);
  float middle = 4.3307467508f + 0.5f * w;
  float y = metal::precise::sqrt(metal::precise::sqrt(middle * middle - w * 6.8027210884f) - middle);
  for (int n = 0; n < 3; ++n) {
    float error = float_erf(y) - x;
    float slope = 1.12837916709551257390f * metal::precise::exp(-y * y);
    float step = error / slope;
    y -= step / (1.0f + y * step);
  }
  return metal::copysign(y, a);
}
