// Compiles the scalar math headers as C++ and wraps each function for measuring.
#include "msl/math_ulp/native_functions.h"

#include <map>

#include "msl/math_ulp/cases.h"
#include "msl/stdlib/metal_math_scalar.h"

namespace assay::msl::math_ulp {
namespace {

template <typename F>
Function unary(F f) {
  return [f](std::span<const float> a, std::span<const float>, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = static_cast<float>(f(a[i]));
    }
  };
}

template <typename F>
Function binary(F f) {
  return [f](std::span<const float> a, std::span<const float> b, std::span<float> out) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = f(a[i], b[i]);
    }
  };
}

using Table = std::map<std::string, Function>;

// Rows of a table; `m` is the namespace of the functions.
#define ASSAY_UNARY(name) {#name, unary([](float x) { return m::name(x); })}
#define ASSAY_BINARY(name) {#name, binary([](float x, float y) { return m::name(x, y); })}
#define ASSAY_TERNARY(name) \
  {#name, binary([](float x, float y) { return m::name(x, y, third_operand(#name, x, y)); })}
// Second results, and arguments that are not floats.
#define ASSAY_SPECIAL_FORMS                                                            \
  {"sincos", unary([](float x) {                                                       \
     float cosine;                                                                     \
     return m::sincos(x, cosine);                                                      \
   })},                                                                                \
      {"sincos.cos", unary([](float x) {                                               \
         float cosine;                                                                 \
         m::sincos(x, cosine);                                                         \
         return cosine;                                                                \
       })},                                                                            \
      {"frexp", unary([](float x) {                                                    \
         int exponent;                                                                 \
         return m::frexp(x, exponent);                                                 \
       })},                                                                            \
      {"frexp.exponent", unary([](float x) {                                           \
         int exponent;                                                                 \
         m::frexp(x, exponent);                                                        \
         return exponent;                                                              \
       })},                                                                            \
      {"modf", unary([](float x) {                                                     \
         float whole;                                                                  \
         return m::modf(x, whole);                                                     \
       })},                                                                            \
      {"modf.whole", unary([](float x) {                                               \
         float whole;                                                                  \
         m::modf(x, whole);                                                            \
         return whole;                                                                 \
       })},                                                                            \
  {                                                                                    \
    "ldexp", binary([](float x, float n) { return m::ldexp(x, static_cast<int>(n)); }) \
  }
#define ASSAY_MSL_FUNCTIONS                                                                     \
  ASSAY_UNARY(sin), ASSAY_UNARY(cos), ASSAY_UNARY(tan), ASSAY_UNARY(sinpi), ASSAY_UNARY(cospi), \
      ASSAY_UNARY(tanpi), ASSAY_UNARY(asin), ASSAY_UNARY(acos), ASSAY_UNARY(atan),              \
      ASSAY_BINARY(atan2), ASSAY_UNARY(sinh), ASSAY_UNARY(cosh), ASSAY_UNARY(tanh),             \
      ASSAY_UNARY(asinh), ASSAY_UNARY(acosh), ASSAY_UNARY(atanh), ASSAY_UNARY(exp),             \
      ASSAY_UNARY(exp2), ASSAY_UNARY(exp10), ASSAY_UNARY(log), ASSAY_UNARY(log2),               \
      ASSAY_UNARY(log10), ASSAY_BINARY(pow), ASSAY_BINARY(powr), ASSAY_UNARY(sqrt),             \
      ASSAY_UNARY(rsqrt), ASSAY_BINARY(divide), ASSAY_TERNARY(fma), ASSAY_BINARY(fmod),         \
      ASSAY_BINARY(fdim), ASSAY_BINARY(fmin), ASSAY_BINARY(fmax), ASSAY_TERNARY(fmin3),         \
      ASSAY_TERNARY(fmax3), ASSAY_TERNARY(fmedian3), ASSAY_UNARY(ilogb), ASSAY_UNARY(fract),    \
      ASSAY_BINARY(nextafter), ASSAY_UNARY(rint), ASSAY_UNARY(round), ASSAY_UNARY(floor),       \
      ASSAY_UNARY(ceil), ASSAY_UNARY(trunc), ASSAY_UNARY(fabs), ASSAY_BINARY(copysign),         \
      ASSAY_UNARY(isnan), ASSAY_UNARY(isinf), ASSAY_UNARY(isfinite), ASSAY_UNARY(isnormal),     \
      ASSAY_UNARY(signbit), ASSAY_SPECIAL_FORMS

Table precise_functions() {
  namespace m = metal::precise;
  return {ASSAY_MSL_FUNCTIONS};
}

Table fast_functions() {
  namespace m = metal::fast;
  return {ASSAY_MSL_FUNCTIONS};
}

Table detail_functions() {
  namespace m = metal::__assay;
  return {ASSAY_UNARY(expm1), ASSAY_UNARY(log1p),     ASSAY_UNARY(cbrt),   ASSAY_BINARY(hypot),
          ASSAY_UNARY(erf),   ASSAY_UNARY(erfc),      ASSAY_UNARY(tgamma), ASSAY_UNARY(lgamma),
          ASSAY_UNARY(logb),  ASSAY_BINARY(remainder)};
}

}  // namespace

Function find_native_function(const std::string& variant, const std::string& name) {
  static const std::map<std::string, Table> tables = {
      {"precise", precise_functions()}, {"fast", fast_functions()}, {"detail", detail_functions()}};
  auto table = tables.find(variant);
  if (table == tables.end()) {
    return {};
  }
  auto function = table->second.find(name);
  return function == table->second.end() ? Function{} : function->second;
}

}  // namespace assay::msl::math_ulp
