// double, which Metal does not have: what the other texts use of Metal's library, overloaded for it.
// Literals are float here, so constants that float does not hold are bits.
namespace metal {

inline bool isnan(double x) { return x != x; }
inline bool isinf(double x) { return x == INFINITY || x == -INFINITY; }
inline bool isfinite(double x) { return x - x == 0.0f; }
inline double fabs(double x) { return __builtin_elementwise_abs(x); }
inline double sign(double x) { return x > 0.0f ? 1.0f : x < 0.0f ? -1.0f : isnan(x) ? 0.0f : x; }
inline double floor(double x) { return __builtin_elementwise_floor(x); }
inline double ceil(double x) { return __builtin_elementwise_ceil(x); }
inline double trunc(double x) { return __builtin_elementwise_trunc(x); }
inline double rint(double x) { return __builtin_elementwise_rint(x); }
inline double fmod(double x, double y) { return __builtin_fmod(x, y); }
inline double copysign(double x, double y) { return __builtin_copysign(x, y); }
inline double max(double x, double y) { return isnan(y) || x > y ? x : y; }
inline double min(double x, double y) { return isnan(y) || x < y ? x : y; }

namespace precise {

inline double sqrt(double x) { return __builtin_elementwise_sqrt(x); }
inline double rsqrt(double x) { return 1.0f / sqrt(x); }
inline double exp(double x) { return __builtin_elementwise_exp(x); }
inline double log(double x) { return __builtin_elementwise_log(x); }
inline double log2(double x) { return __builtin_elementwise_log2(x); }
inline double log10(double x) { return __builtin_elementwise_log10(x); }
inline double pow(double x, double y) { return __builtin_elementwise_pow(x, y); }
inline double sin(double x) { return __builtin_elementwise_sin(x); }
inline double cos(double x) { return __builtin_elementwise_cos(x); }
inline double tan(double x) { return __builtin_elementwise_tan(x); }
inline double sinh(double x) { return __builtin_elementwise_sinh(x); }
inline double cosh(double x) { return __builtin_elementwise_cosh(x); }
inline double tanh(double x) { return __builtin_elementwise_tanh(x); }
inline double asin(double x) { return __builtin_elementwise_asin(x); }
inline double acos(double x) { return __builtin_elementwise_acos(x); }
inline double atan(double x) { return __builtin_elementwise_atan(x); }

}  // namespace precise
}  // namespace metal

// Rounding of 1 + a is made good by the quotient: log(u) / (u - 1) varies slowly.
inline double float_log1p(double a) {
  double u = 1.0f + a;
  if (u == 1.0f || u == INFINITY) return u == 1.0f ? a : u;
  return metal::precise::log(u) * (a / (u - 1.0f));
}
inline double float_expm1(double a) {
  double u = metal::precise::exp(a);
  if (u == 1.0f || u == INFINITY) return u == 1.0f ? a : u;
  double below = u - 1.0f;
  return below == -1.0f ? below : below * (a / metal::precise::log(u));
}

// Names of Metal's own functions of float hide those above in here: they are written out.
namespace metal {
namespace precise {

inline double asinh(double x) {
  double a = metal::fabs(x), square = a * a;
  double y = a > 0x1p28f ? log(a) + __builtin_bit_cast(double, 0x3fe62e42fefa39eful)
                         : float_log1p(a + square / (1.0f + sqrt(1.0f + square)));
  return metal::copysign(y, x);
}
inline double acosh(double x) {
  double above = x - 1.0f;
  return x > 0x1p28f ? log(x) + __builtin_bit_cast(double, 0x3fe62e42fefa39eful)
                     : float_log1p(above + sqrt(2.0f * above + above * above));
}
inline double atanh(double x) {
  double a = metal::fabs(x);
  return metal::copysign(0.5f * float_log1p(2.0f * a / (1.0f - a)), x);
}
inline double atan2(double y, double x) {
  double pi = __builtin_bit_cast(double, 0x400921fb54442d18ul);
  if (metal::isnan(x) || metal::isnan(y)) return NAN;
  double a = metal::fabs(y), b = metal::fabs(x);
  bool is_steep = a > b;
  double ratio = a == b ? (a == 0.0f ? 0.0f : 1.0f) : is_steep ? b / a : a / b;
  double angle = is_steep ? 0.5f * pi - atan(ratio) : atan(ratio);
  bool is_left = metal::copysign(double(1.0f), x) < 0.0f;
  return metal::copysign(is_left ? pi - angle : angle, y);
}

}  // namespace precise
}  // namespace metal

inline double float_remainder(double a, double b) {
  double rest = metal::fmod(a, b);
  return rest != 0.0f && (rest < 0.0f) != (b < 0.0f) ? rest + b : rest;
}
inline double float_power(double a, double b) { return metal::precise::pow(a, b); }
inline double float_sigmoid(double a) {
  double y = 1.0f / (1.0f + metal::precise::exp(-metal::fabs(a)));
  return a < 0.0f ? 1.0f - y : y;
}
inline double float_logaddexp(double a, double b) {
  if (metal::isnan(a) || metal::isnan(b)) return NAN;
  double large = metal::max(a, b), small = metal::min(a, b);
  if (small == -INFINITY || large == INFINITY) return large;
  return large + float_log1p(metal::precise::exp(small - large));
}

// 2x/√π · exp(-x²) · Σ (2x²)ⁿ / (1·3·5…(2n+1)): all terms have one sign, so nothing cancels. Beyond 6
// the result is 1 to the last bit.
inline double float_erf(double a) {
  double x = metal::fabs(a);
  if (!(x < 6.0f)) return metal::isnan(a) ? a : metal::copysign(double(1.0f), a);
  double term = 1.0f, sum = 1.0f;
  for (int n = 1; n < 200 && term > sum * 0x1p-54f; ++n) {
    term *= 2.0f * x * x / double(2 * n + 1);
    sum += term;
  }
  double scale = __builtin_bit_cast(double, 0x3ff20dd750429b6dul);
  return scale * a * metal::precise::exp(-x * x) * sum;
}
// Newton's method from the result in float.
inline double float_erfinv(double a) {
  double x = float_erfinv(float(a));
  if (!(metal::fabs(a) < 1.0f)) return x;
  if (metal::isinf(x)) x = metal::copysign(double(4.0f), a);
  double slope = __builtin_bit_cast(double, 0x3ff20dd750429b6dul);
  for (int step = 0; step < 3; ++step) {
    x -= (float_erf(x) - a) / (slope * metal::precise::exp(-x * x));
  }
  return x;
}

// Bits travel between lanes, whatever they mean.
inline double simd_shuffle_down(double a, ushort step) {
  return __builtin_bit_cast(double, metal::simd_shuffle_down(__builtin_bit_cast(ulong, a), step));
}
inline double simd_shuffle_up(double a, ushort step) {
  return __builtin_bit_cast(double, metal::simd_shuffle_up(__builtin_bit_cast(ulong, a), step));
}
inline double simd_shuffle_xor(double a, ushort mask) {
  return __builtin_bit_cast(double, metal::simd_shuffle_xor(__builtin_bit_cast(ulong, a), mask));
}
inline double simd_shuffle(double a, ushort lane) {
  return __builtin_bit_cast(double, metal::simd_shuffle(__builtin_bit_cast(ulong, a), lane));
}
