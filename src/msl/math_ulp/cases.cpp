// The table of measured functions.
#include "msl/math_ulp/cases.h"

#include <cmath>
#include <limits>

namespace assay::msl::math_ulp {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

template <auto F>
void exact_unary(mpfr_ptr out, float a, float) {
  mpfr_set_flt(out, a, MPFR_RNDN);
  F(out, out, MPFR_RNDN);
}

template <auto F>
void exact_binary(mpfr_ptr out, float a, float b) {
  mpfr_t second;
  mpfr_init2(second, std::numeric_limits<float>::digits);
  mpfr_set_flt(second, b, MPFR_RNDN);
  mpfr_set_flt(out, a, MPFR_RNDN);
  F(out, out, second, MPFR_RNDN);
  mpfr_clear(second);
}

// For functions whose exact value is a float, or a double at most.
template <auto F>
void exact_plain(mpfr_ptr out, float a, float b) {
  mpfr_set_d(out, F(a, b), MPFR_RNDN);
}

void exact_rsqrt(mpfr_ptr out, float a, float) {
  mpfr_set_flt(out, a, MPFR_RNDN);
  mpfr_rec_sqrt(out, out, MPFR_RNDN);
  if (a == 0) {
    mpfr_set_inf(out, std::signbit(a) ? -1 : 1);
  }
}

void exact_lgamma(mpfr_ptr out, float a, float) {
  int sign = 0;
  mpfr_set_flt(out, a, MPFR_RNDN);
  mpfr_lgamma(out, &sign, out, MPFR_RNDN);
}

void exact_powr(mpfr_ptr out, float a, float b) {
  bool undefined = a < 0 || (b == 0 && (a == 0 || std::isinf(a))) || (a == 1 && std::isinf(b)) ||
                   std::isnan(a) || std::isnan(b);
  if (undefined) {
    mpfr_set_nan(out);
  } else {
    exact_binary<mpfr_pow>(out, std::fabs(a), b);
  }
}

void exact_fma(mpfr_ptr out, float a, float b) {
  double product = static_cast<double>(a) * b;  // exact
  mpfr_set_d(out, product, MPFR_RNDN);
  mpfr_add_d(out, out, third_operand("fma", a, b), MPFR_RNDN);
}

void exact_fract(mpfr_ptr out, float a, float) {
  mpfr_set_flt(out, a, MPFR_RNDN);
  if (std::isinf(a)) {
    mpfr_set_zero(out, a > 0 ? 1 : -1);
  } else if (a != 0 && !std::isnan(a)) {
    mpfr_sub_d(out, out, std::floor(a), MPFR_RNDN);
  }
}

double exact_fdim(float a, float b) {
  return std::isnan(a) || std::isnan(b) ? a + b : a > b ? static_cast<double>(a) - b : 0.0;
}
double exact_modf_whole(float a, float) { return std::trunc(a); }
double exact_modf(float a, float) {
  float whole = 0;
  return std::modf(a, &whole);
}
double exact_frexp(float a, float) {
  int exponent = 0;
  return std::frexp(a, &exponent);
}
double exact_frexp_exponent(float a, float) {
  int exponent = 0;
  std::frexp(a, &exponent);
  return std::isfinite(a) ? exponent : 0;
}
double exact_ldexp(float a, float b) { return std::ldexp(double{a}, static_cast<int>(b)); }
double exact_ilogb(float a, float) { return static_cast<float>(std::ilogb(a)); }
double exact_logb(float a, float) { return std::logb(a); }
double exact_nextafter(float a, float b) { return std::nextafter(a, b); }
double exact_rint(float a, float) { return std::rint(a); }
double exact_round(float a, float) { return std::round(a); }
double exact_floor(float a, float) { return std::floor(a); }
double exact_ceil(float a, float) { return std::ceil(a); }
double exact_trunc(float a, float) { return std::trunc(a); }
double exact_fabs(float a, float) { return std::fabs(a); }
double exact_copysign(float a, float b) { return std::copysign(a, b); }
// Not the library's: that gives a NaN for a signalling NaN, a kind MSL does not have.
double exact_fmin(float a, float b) { return std::isnan(a) || b < a ? b : a; }
double exact_fmax(float a, float b) { return std::isnan(a) || b > a ? b : a; }
// The third operand lies between the others or is a NaN.
double exact_fmedian3(float a, float b) {
  float c = third_operand("fmedian3", a, b);
  return std::isnan(c) ? exact_fmax(a, b) : c;
}
double exact_isnan(float a, float) { return std::isnan(a) ? 1 : 0; }
double exact_isinf(float a, float) { return std::isinf(a) ? 1 : 0; }
double exact_isfinite(float a, float) { return std::isfinite(a) ? 1 : 0; }
double exact_isnormal(float a, float) { return std::isnormal(a) ? 1 : 0; }
double exact_signbit(float a, float) { return std::signbit(a) ? 1 : 0; }

// Overload sets cannot be template arguments; these name the double versions.
#define ASSAY_MATH_ULP_UNARY(name)                                            \
  Reference {                                                                 \
    exact_unary<mpfr_##name>, [](double x) -> double { return std::name(x); } \
  }

struct NamedReference {
  const char* name;
  Reference reference;
  Pairing pairing = Pairing::kOneArgument;
  double bound_ulp = 2;
};

std::vector<NamedReference> elementary_references() {
  return {
      {"sin", ASSAY_MATH_ULP_UNARY(sin)},
      {"cos", ASSAY_MATH_ULP_UNARY(cos)},
      {"tan", ASSAY_MATH_ULP_UNARY(tan)},
      {"sincos", ASSAY_MATH_ULP_UNARY(sin)},
      {"sincos.cos", ASSAY_MATH_ULP_UNARY(cos)},
      {"sinpi", {exact_unary<mpfr_sinpi>}},
      {"cospi", {exact_unary<mpfr_cospi>}},
      {"tanpi", {exact_unary<mpfr_tanpi>}},
      {"asin", ASSAY_MATH_ULP_UNARY(asin)},
      {"acos", ASSAY_MATH_ULP_UNARY(acos)},
      {"atan", ASSAY_MATH_ULP_UNARY(atan)},
      {"atan2", {exact_binary<mpfr_atan2>}, Pairing::kIndependent},
      {"sinh", ASSAY_MATH_ULP_UNARY(sinh)},
      {"cosh", ASSAY_MATH_ULP_UNARY(cosh)},
      {"tanh", ASSAY_MATH_ULP_UNARY(tanh)},
      {"asinh", ASSAY_MATH_ULP_UNARY(asinh)},
      {"acosh", ASSAY_MATH_ULP_UNARY(acosh)},
      {"atanh", ASSAY_MATH_ULP_UNARY(atanh)},
      {"exp", ASSAY_MATH_ULP_UNARY(exp)},
      {"exp2", ASSAY_MATH_ULP_UNARY(exp2)},
      {"exp10", {exact_unary<mpfr_exp10>}},
      {"log", ASSAY_MATH_ULP_UNARY(log)},
      {"log2", ASSAY_MATH_ULP_UNARY(log2)},
      {"log10", ASSAY_MATH_ULP_UNARY(log10)},
      {"pow", {exact_binary<mpfr_pow>}, Pairing::kPower},
      {"powr", {exact_powr}, Pairing::kPower},
      {"sqrt", ASSAY_MATH_ULP_UNARY(sqrt), Pairing::kOneArgument, 0.5},
      {"rsqrt", {exact_rsqrt}},
      {"divide", {exact_binary<mpfr_div>}, Pairing::kIndependent, 0.5},
  };
}

std::vector<NamedReference> exact_references() {
  constexpr Pairing kOne = Pairing::kOneArgument;
  constexpr Pairing kTwo = Pairing::kIndependent;
  return {
      {"fma", {exact_fma, nullptr, true}, kTwo, 0.5},
      {"fmod", {exact_binary<mpfr_fmod>}, kTwo, 0},
      {"fdim", {exact_plain<exact_fdim>}, kTwo, 0.5},
      {"fmin", {exact_plain<exact_fmin>, nullptr, true}, kTwo, 0},
      {"fmax", {exact_plain<exact_fmax>, nullptr, true}, kTwo, 0},
      {"fmin3", {exact_plain<exact_fmin>, nullptr, true}, kTwo, 0},
      {"fmax3", {exact_plain<exact_fmax>, nullptr, true}, kTwo, 0},
      {"fmedian3", {exact_plain<exact_fmedian3>, nullptr, true}, kTwo, 0},
      {"ldexp", {exact_plain<exact_ldexp>}, Pairing::kExponent, 0.5},
      {"frexp", {exact_plain<exact_frexp>}, kOne, 0},
      {"frexp.exponent", {exact_plain<exact_frexp_exponent>}, kOne, 0},
      {"ilogb", {exact_plain<exact_ilogb>}, kOne, 0},
      {"modf", {exact_plain<exact_modf>}, kOne, 0},
      {"modf.whole", {exact_plain<exact_modf_whole>}, kOne, 0},
      {"fract", {exact_fract}, kOne, 1},
      {"nextafter", {exact_plain<exact_nextafter>}, kTwo, 0},
      {"rint", {exact_plain<exact_rint>}, kOne, 0},
      {"round", {exact_plain<exact_round>}, kOne, 0},
      {"floor", {exact_plain<exact_floor>}, kOne, 0},
      {"ceil", {exact_plain<exact_ceil>}, kOne, 0},
      {"trunc", {exact_plain<exact_trunc>}, kOne, 0},
      {"fabs", {exact_plain<exact_fabs>}, kOne, 0},
      {"copysign", {exact_plain<exact_copysign>}, kTwo, 0},
      {"isnan", {exact_plain<exact_isnan>}, kOne, 0},
      {"isinf", {exact_plain<exact_isinf>}, kOne, 0},
      {"isfinite", {exact_plain<exact_isfinite>}, kOne, 0},
      {"isnormal", {exact_plain<exact_isnormal>}, kOne, 0},
      {"signbit", {exact_plain<exact_signbit>}, kOne, 0},
  };
}

std::vector<NamedReference> detail_references() {
  return {
      {"expm1", ASSAY_MATH_ULP_UNARY(expm1)},
      {"log1p", ASSAY_MATH_ULP_UNARY(log1p)},
      {"cbrt", ASSAY_MATH_ULP_UNARY(cbrt)},
      {"hypot", {exact_binary<mpfr_hypot>}, Pairing::kIndependent},
      {"erf", ASSAY_MATH_ULP_UNARY(erf)},
      {"erfc", ASSAY_MATH_ULP_UNARY(erfc)},
      {"tgamma", {exact_unary<mpfr_gamma>, [](double x) { return std::tgamma(x); }}},
      {"remainder", {exact_binary<mpfr_remainder>}, Pairing::kIndependent, 0},
      {"logb", {exact_plain<exact_logb>}, Pairing::kOneArgument, 0},
  };
}

#undef ASSAY_MATH_ULP_UNARY

// The fast functions that differ from the precise ones, with the range in which they are measured
// and the error found there. Outside it they give rough values of the right kind.
struct FastRange {
  const char* name;
  double bound_ulp;
  float low = -kInfinity;
  float high = kInfinity;
};

constexpr FastRange kFastRanges[] = {
    {"sin", 2.5, -3.1415927f, 3.1415927f},
    {"cos", 2.5, -3.1415927f, 3.1415927f},
    {"tan", 4, -3.1415927f, 3.1415927f},
    {"sincos", 2.5, -3.1415927f, 3.1415927f},
    {"sincos.cos", 2.5, -3.1415927f, 3.1415927f},
    {"asin", 4},
    {"acos", 4},
    {"atan", 4},
    {"atan2", 4, -0x1p60f, 0x1p60f},
    {"sinh", 4},
    {"cosh", 4},
    {"tanh", 4},
    {"exp", 4},
    {"exp2", 4},
    {"exp10", 4},
    {"log", 7, 0x1p-126f, kInfinity},
    {"log2", 7, 0x1p-126f, kInfinity},
    {"log10", 7, 0x1p-126f, kInfinity},
    {"pow", 400, 0x1p-126f, 0x1p126f},
    {"powr", 400, 0x1p-126f, 0x1p126f},
};

void add_cases(std::vector<Case>& cases, const char* variant,
               const std::vector<NamedReference>& references) {
  for (const NamedReference& row : references) {
    cases.push_back({.variant = variant,
                     .name = row.name,
                     .reference = row.reference,
                     .pairing = row.pairing,
                     .bound_ulp = row.bound_ulp,
                     .low = -kInfinity,
                     .high = kInfinity});
  }
}

}  // namespace

float third_operand(const std::string& name, float a, float b) {
  return name == "fma" ? -(a * b) : static_cast<float>(0.5 * (static_cast<double>(a) + b));
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  add_cases(cases, "precise", elementary_references());
  add_cases(cases, "precise", exact_references());
  for (const NamedReference& row : elementary_references()) {
    for (const FastRange& range : kFastRanges) {
      if (std::string(row.name) == range.name) {
        Reference reference = row.reference;
        reference.zero_sign_is_free = true;
        cases.push_back({.variant = "fast",
                         .name = row.name,
                         .reference = reference,
                         .pairing = row.pairing,
                         .bound_ulp = range.bound_ulp,
                         .low = range.low,
                         .high = range.high,
                         .normal_results_only = true});
      }
    }
  }
  add_cases(cases, "detail", detail_references());
  // Relative error has no bound near the zeros on the negative axis.
  cases.push_back({.variant = "detail",
                   .name = "lgamma",
                   .reference = {exact_lgamma, [](double x) { return std::lgamma(x); }},
                   .low = 0,
                   .high = kInfinity});
  return cases;
}

}  // namespace assay::msl::math_ulp
