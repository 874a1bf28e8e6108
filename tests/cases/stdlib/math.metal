// Every floating-point function in its three namespaces, for every type and mix of operands.
#include <metal_stdlib>
using namespace metal;

// A kernel's own functions with names that Metal lacks, or for types that Metal leaves out.
inline float log1p(float x) { return metal::log(1.0f + x); }
inline float erf(float x) { return x; }
namespace metal {
METAL_FUNC bfloat exp(bfloat x) { return bfloat(__metal_exp(float(x), __METAL_MAYBE_FAST_MATH__)); }
METAL_FUNC bfloat abs(bfloat x) { return bfloat(__metal_fabs(float(x), __METAL_PRECISE_MATH__)); }
METAL_FUNC bfloat max(bfloat a, bfloat b) { return a > b ? a : b; }
namespace precise {
METAL_FUNC bfloat exp(bfloat x) { return bfloat(__metal_exp(float(x), __METAL_PRECISE_MATH__)); }
}  // namespace precise
}  // namespace metal

#define UNARY_OF(space, T, x)                                                                    \
  (space::acos(x) + space::acosh(x) + space::asin(x) + space::asinh(x) + space::atan(x) +        \
   space::atanh(x) + space::ceil(x) + space::cos(x) + space::cosh(x) + space::cospi(x) +         \
   space::exp(x) + space::exp10(x) + space::exp2(x) + space::fabs(x) + space::floor(x) +         \
   space::fract(x) + space::log(x) + space::log10(x) + space::log2(x) + space::rint(x) +         \
   space::round(x) + space::rsqrt(x) + space::sin(x) + space::sinh(x) + space::sinpi(x) +        \
   space::sqrt(x) + space::tan(x) + space::tanh(x) + space::tanpi(x) + space::trunc(x) +         \
   space::abs(x) + space::sign(x) + space::saturate(x))
#define OTHERS_OF(space, T, x, y, z)                                                             \
  (space::atan2(x, y) + space::copysign(x, y) + space::divide(x, y) + space::fdim(x, y) +        \
   space::fmax(x, y) + space::fmin(x, y) + space::fmod(x, y) + space::pow(x, y) +                \
   space::powr(x, y) + space::nextafter(x, y) + space::fma(x, y, z) + space::fmax3(x, y, z) +    \
   space::fmin3(x, y, z) + space::fmedian3(x, y, z) + space::mix(x, y, z) +                      \
   space::step(x, y) + space::smoothstep(x, y, z) + space::clamp(x, y, z) + space::max(x, y) +   \
   space::min(x, y) + space::max3(x, y, z) + space::min3(x, y, z) + space::median3(x, y, z))

template <typename T>
T every_function(T x, T y, T z) {
  T sum = UNARY_OF(metal, T, x) + UNARY_OF(fast, T, y) + UNARY_OF(precise, T, z);
  sum += OTHERS_OF(metal, T, x, y, z) + OTHERS_OF(fast, T, x, y, z) + OTHERS_OF(precise, T, x, y, z);
  T second = sum;
  sum += sincos(x, second) + second;
  sum += modf(y, second) + second;
  sum += fast::sincos(x, second) + second;
  return sum;
}

static_assert(is_same_v<decltype(exp(half(1))), half> && is_same_v<decltype(exp(1)), float>, "");
static_assert(is_same_v<decltype(pow(2.0f, 3)), float> && is_same_v<decltype(sqrt(2u)), float>, "");
static_assert(is_same_v<decltype(fma(half3(1), half3(1), 2.0h)), half3>, "");
static_assert(is_same_v<decltype(metal::exp(bfloat(1.0f))), bfloat>, "");
static_assert(is_same_v<decltype(metal::log(bfloat(1.0f))), bfloat>, "");
static_assert(is_same_v<decltype(isnan(float3(1))), bool3>, "");
static_assert(isnan(NAN) && !isnan(1.0h) && isinf(INFINITY) && isfinite(1.0f), "");
static_assert(all(isfinite(float2(1, INFINITY)) == bool2(true, false)), "");
static_assert(signbit(-0.0f) && !isnormal(0x1.0p-127f) && isnormal(0x1.0p-14h), "");
static_assert(max(NAN, 1.0f) == 1.0f && min(1.0f, NAN) == 1.0f, "");
static_assert(saturate(2.0f) == 1.0f && sign(-3.0f) == -1.0f && step(1.0f, 0.5f) == 0.0f, "");
static_assert(mix(1.0f, 3.0f, 0.5f) == 2.0f && smoothstep(0.0f, 2.0f, 1.0f) == 0.5f, "");

kernel void math(device float* f [[buffer(0)]], device half4* h [[buffer(1)]],
                 device bfloat2* b [[buffer(2)]], device float3* v [[buffer(3)]],
                 constant int& n [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  f[i] = every_function(f[i], f[i + 1], f[i + 2]);
  h[i] = every_function(h[i], h[i + 1], h[i + 2]);
  b[i] = every_function(b[i], b[i + 1], b[i + 2]);
  v[i] = every_function(v[i], v[i + 1], v[i + 2]);
  int exponent;
  int3 exponents;
  f[i] += frexp(f[i + 3], exponent) + ldexp(f[i], exponent) + ldexp(f[i], n) + ilogb(f[i]);
  v[i] += frexp(v[i], exponents) + ldexp(v[i], exponents);
  f[i] += pow(f[i], n) + exp(n) + max(f[i], h[i].x) + clamp(f[i], 0, 1) + max(0.0f, n);
  f[i] += log1p(f[i]) + erf(f[i]) + float(exp(b[i].x)) + float(abs(b[i].y)) + float(tanh(b[i].x));
  v[i] = max(v[i], 0.0f) + min(v[i], f[i]) + clamp(v[i], -1.0f, 1.0f) + mix(v[i], v[i + 1], 0.25f);
  f[i] += dot(v[i], v[i + 1]) + length(v[i]) + distance(v[i], v[i + 1]) + length_squared(v[i]);
  v[i] = cross(v[i], v[i + 1]) + normalize(v[i]) + reflect(v[i], v[i + 1]) + refract(v[i], v[i], 0.5f);
  v[i] = faceforward(v[i], v[i], v[i]) + fast::normalize(v[i]) + precise::normalize(v[i]);
  h[i].xy = normalize(h[i].zw) * length(h[i]) * fast::length(h[i].xyz);
  f[i] += any(isnan(v[i])) ? 1 : isordered(f[i], f[i + 1]);
}
