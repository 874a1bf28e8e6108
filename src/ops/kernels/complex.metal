// Complex numbers, in the layout of two floats.
struct complex64_t {
  float real;
  float imag;

  complex64_t() = default;
  complex64_t(float x) : real(x), imag(0.0f) {}
  complex64_t(float x, float y) : real(x), imag(y) {}
};

inline complex64_t operator-(complex64_t x) { return complex64_t(-x.real, -x.imag); }
inline complex64_t operator+(complex64_t x, complex64_t y) {
  return complex64_t(x.real + y.real, x.imag + y.imag);
}
inline complex64_t operator-(complex64_t x, complex64_t y) {
  return complex64_t(x.real - y.real, x.imag - y.imag);
}
inline complex64_t operator*(complex64_t x, complex64_t y) {
  return complex64_t(x.real * y.real - x.imag * y.imag, x.real * y.imag + x.imag * y.real);
}
inline complex64_t operator/(complex64_t x, complex64_t y) {
  float scale = y.real * y.real + y.imag * y.imag;
  return complex64_t((x.real * y.real + x.imag * y.imag) / scale,
                     (x.imag * y.real - x.real * y.imag) / scale);
}
inline bool operator==(complex64_t x, complex64_t y) {
  return x.real == y.real && x.imag == y.imag;
}

inline float complex_abs(complex64_t a) {
  float large = metal::max(metal::fabs(a.real), metal::fabs(a.imag));
  float small = metal::min(metal::fabs(a.real), metal::fabs(a.imag));
  if (large == 0.0f || metal::isinf(large)) return large;
  float ratio = small / large;
  return large * metal::precise::sqrt(1.0f + ratio * ratio);
}
inline complex64_t complex_sign(complex64_t a) {
  float size = complex_abs(a);
  return size == 0.0f ? a : complex64_t(a.real / size, a.imag / size);
}
inline complex64_t complex_exp(complex64_t a) {
  float size = metal::precise::exp(a.real);
  if (size == 0.0f) return complex64_t(0.0f);  // whatever the angle, even where it is no number
  return complex64_t(size * metal::precise::cos(a.imag), size * metal::precise::sin(a.imag));
}
inline complex64_t complex_log(complex64_t a) {
  return complex64_t(metal::precise::log(complex_abs(a)), metal::precise::atan2(a.imag, a.real));
}
inline complex64_t complex_sqrt(complex64_t a) {
  float size = complex_abs(a);
  if (size == 0.0f) return a;
  float part = metal::precise::sqrt(0.5f * (size + metal::fabs(a.real)));
  float other = 0.5f * metal::fabs(a.imag) / part;
  complex64_t root = a.real >= 0.0f ? complex64_t(part, other) : complex64_t(other, part);
  return complex64_t(root.real, metal::copysign(root.imag, a.imag));
}
inline complex64_t complex_rsqrt(complex64_t a) { return complex64_t(1.0f) / complex_sqrt(a); }
inline complex64_t complex_sin(complex64_t a) {
  return complex64_t(metal::precise::sin(a.real) * metal::precise::cosh(a.imag),
                     metal::precise::cos(a.real) * metal::precise::sinh(a.imag));
}
inline complex64_t complex_cos(complex64_t a) {
  return complex64_t(metal::precise::cos(a.real) * metal::precise::cosh(a.imag),
                     -metal::precise::sin(a.real) * metal::precise::sinh(a.imag));
}
inline complex64_t complex_sinh(complex64_t a) {
  return complex64_t(metal::precise::sinh(a.real) * metal::precise::cos(a.imag),
                     metal::precise::cosh(a.real) * metal::precise::sin(a.imag));
}
inline complex64_t complex_cosh(complex64_t a) {
  return complex64_t(metal::precise::cosh(a.real) * metal::precise::cos(a.imag),
                     metal::precise::sinh(a.real) * metal::precise::sin(a.imag));
}
inline complex64_t complex_tanh(complex64_t a) {
  float tan_imag = metal::precise::tan(a.imag), tanh_real = metal::precise::tanh(a.real);
  return complex64_t(tanh_real, tan_imag) / complex64_t(1.0f, tanh_real * tan_imag);
}
inline complex64_t complex_times_i(complex64_t a) { return complex64_t(-a.imag, a.real); }
inline complex64_t complex_arcsinh(complex64_t a) {
  return complex_log(a + complex_sqrt(a * a + complex64_t(1.0f)));
}
inline complex64_t complex_arccosh(complex64_t a) {
  return complex_log(a + complex_sqrt(a - complex64_t(1.0f)) * complex_sqrt(a + complex64_t(1.0f)));
}
inline complex64_t complex_arctanh(complex64_t a) {
  return complex64_t(0.5f) *
         (complex_log(complex64_t(1.0f) + a) - complex_log(complex64_t(1.0f) - a));
}
inline complex64_t complex_arcsin(complex64_t a) {
  complex64_t turned = complex_arcsinh(complex_times_i(a));
  return complex64_t(turned.imag, -turned.real);
}
inline complex64_t complex_arccos(complex64_t a) {
  complex64_t sine = complex_arcsin(a);
  return complex64_t(1.57079632679489661923f - sine.real, -sine.imag);
}
inline complex64_t complex_arctan(complex64_t a) {
  complex64_t turned = complex_arctanh(complex_times_i(a));
  return complex64_t(turned.imag, -turned.real);
}
inline bool complex_isnan(complex64_t a) { return metal::isnan(a.real) || metal::isnan(a.imag); }
inline complex64_t complex_power(complex64_t a, complex64_t b) {
  if (complex_isnan(b)) return complex64_t(NAN, NAN);
  if (a.real == 0.0f && a.imag == 0.0f) {
    return b.real == 0.0f && b.imag == 0.0f ? complex64_t(1.0f) : complex64_t(0.0f);
  }
  return complex_exp(b * complex_log(a));
}
inline bool complex_less(complex64_t a, complex64_t b) {
  return a.real < b.real || (a.real == b.real && a.imag < b.imag);
}
inline complex64_t complex_maximum(complex64_t a, complex64_t b) {
  return complex_isnan(a) || complex_less(b, a) ? a : b;
}
inline complex64_t complex_minimum(complex64_t a, complex64_t b) {
  return complex_isnan(a) || complex_less(a, b) ? a : b;
}
inline bool complex_nan_equal(complex64_t a, complex64_t b) {
  bool real = a.real == b.real || (metal::isnan(a.real) && metal::isnan(b.real));
  bool imag = a.imag == b.imag || (metal::isnan(a.imag) && metal::isnan(b.imag));
  return real && imag;
}
inline complex64_t complex_logaddexp(complex64_t a, complex64_t b) {
  complex64_t large = complex_maximum(a, b), small = complex_minimum(a, b);
  return large + complex_log(complex64_t(1.0f) + complex_exp(small - large));
}
