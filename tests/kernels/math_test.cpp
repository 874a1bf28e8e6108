// Floating-point functions on scalars and vectors of every type against libm in double precision.
#include <cfloat>
#include <cmath>
#include <limits>

#include "tests/kernels/kernel_runner.h"

namespace assay::testing {
namespace {

constexpr double kPi = 3.14159265358979323846;
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

using Unary = double (*)(double);

// Exact zeros where the double product with pi would leave its rounding error.
double sine_of_pi(double x) {
  double turn = std::fmod(x, 2);
  if (turn == std::trunc(turn)) return std::copysign(0.0, x);
  return std::sin(kPi * turn);
}
double cosine_of_pi(double x) {
  double turn = std::fabs(std::fmod(x, 2));
  if (turn == 0.5 || turn == 1.5) return 0;
  return std::cos(kPi * turn);
}

struct UnaryCase {
  const char* name;
  Unary exact;
  float low, high;  // range of the ordinary arguments
};

const UnaryCase kUnaryCases[] = {
    {"sin", [](double x) { return std::sin(x); }, -1000, 1000},
    {"cos", [](double x) { return std::cos(x); }, -1000, 1000},
    {"tan", [](double x) { return std::tan(x); }, -100, 100},
    {"sinpi", sine_of_pi, -8.3F, 8.3F},
    {"cospi", cosine_of_pi, -8.3F, 8.3F},
    {"asin", [](double x) { return std::asin(x); }, -1, 1},
    {"acos", [](double x) { return std::acos(x); }, -1, 1},
    {"atan", [](double x) { return std::atan(x); }, -50, 50},
    {"sinh", [](double x) { return std::sinh(x); }, -80, 80},
    {"cosh", [](double x) { return std::cosh(x); }, -80, 80},
    {"tanh", [](double x) { return std::tanh(x); }, -10, 10},
    {"asinh", [](double x) { return std::asinh(x); }, -1e6F, 1e6F},
    {"acosh", [](double x) { return std::acosh(x); }, 1, 1e6F},
    {"atanh", [](double x) { return std::atanh(x); }, -0.99F, 0.99F},
    {"exp", [](double x) { return std::exp(x); }, -80, 80},
    {"exp2", [](double x) { return std::exp2(x); }, -120, 120},
    {"exp10", [](double x) { return std::pow(10.0, x); }, -36, 36},
    {"log", [](double x) { return std::log(x); }, 1e-6F, 1e6F},
    {"log2", [](double x) { return std::log2(x); }, 1e-6F, 1e6F},
    {"log10", [](double x) { return std::log10(x); }, 1e-6F, 1e6F},
    {"sqrt", [](double x) { return std::sqrt(x); }, 0, 1e20F},
    {"rsqrt", [](double x) { return 1 / std::sqrt(x); }, 1e-6F, 1e20F},
    {"floor", [](double x) { return std::floor(x); }, -1000, 1000},
    {"ceil", [](double x) { return std::ceil(x); }, -1000, 1000},
    {"trunc", [](double x) { return std::trunc(x); }, -1000, 1000},
    {"rint", [](double x) { return std::nearbyint(x); }, -1000, 1000},
    {"round", [](double x) { return std::round(x); }, -1000, 1000},
    {"fabs", [](double x) { return std::fabs(x); }, -1000, 1000},
};

// Distance in units of the last place of the correctly rounded result.
double ulp_error(float got, double exact) {
  auto rounded = static_cast<float>(exact);
  if (std::isnan(rounded)) return std::isnan(got) ? 0 : HUGE_VAL;
  if (std::isinf(rounded) || std::isinf(got)) return got == rounded ? 0 : HUGE_VAL;
  int exponent = std::max(std::ilogb(rounded == 0 ? FLT_MIN : rounded), -126);
  return std::fabs(static_cast<double>(got) - exact) / std::ldexp(1.0, exponent - 23);
}

// `count` arguments across the range, dense around zero too, odd multiples of a half among them.
std::vector<float> arguments_in(float low, float high, uint32_t count) {
  std::vector<float> values(count);
  for (uint32_t i = 0; i < count; ++i) {
    float t = static_cast<float>(i) / static_cast<float>(std::max(count - 1, 1U));
    float across = low + (high - low) * t;
    float shrunk = across * std::exp2(-static_cast<float>(i % 23));
    values[i] = i % 3 == 0   ? std::clamp(shrunk, low, high)
                : i % 7 == 1 ? std::floor(across) + 0.5F
                             : across;
    values[i] = std::clamp(values[i], low, high);
  }
  return values;
}

// One kernel for all cases: result j of thread i is function j of input j of thread i.
std::string unary_source(const std::string& space, const std::string& type) {
  std::string text = "kernel void k(const device " + type + "* in, device " + type +
                     "* out, uint i [[thread_position_in_grid]]) {\n";
  for (size_t j = 0; j < std::size(kUnaryCases); ++j) {
    std::string at =
        "[" + std::to_string(std::size(kUnaryCases)) + " * i + " + std::to_string(j) + "]";
    text += "  out" + at + " = " + space + kUnaryCases[j].name + "(in" + at + ");\n";
  }
  return text + "}\n";
}

template <typename T>
std::vector<T> run_unary(const std::string& space, const std::string& type, std::vector<T>& in) {
  auto n = static_cast<uint32_t>(in.size() / std::size(kUnaryCases));
  std::vector<T> out(in.size());
  run_kernel({.source = unary_source(space, type), .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
             {buffer(in), buffer(out)});
  return out;
}

std::vector<float> unary_inputs(uint32_t n) {
  constexpr size_t kCases = std::size(kUnaryCases);
  std::vector<float> in(n * kCases);
  for (size_t j = 0; j < kCases; ++j) {
    std::vector<float> values = arguments_in(kUnaryCases[j].low, kUnaryCases[j].high, n);
    for (uint32_t i = 0; i < n; ++i) in[i * kCases + j] = values[i];
  }
  return in;
}

TEST(Math, precise_functions_are_within_two_and_a_half_ulp) {
  for (std::string space : {"precise::", "metal::precise::", ""}) {
    std::vector<float> in = unary_inputs(1031);
    std::vector<float> out = run_unary(space, "float", in);
    for (size_t j = 0; j < in.size(); ++j) {
      const UnaryCase& tested = kUnaryCases[j % std::size(kUnaryCases)];
      ASSERT_LE(ulp_error(out[j], tested.exact(in[j])), 2.5)
          << space << tested.name << "(" << in[j] << ") = " << out[j];
    }
  }
}

TEST(Math, precise_functions_follow_libm_at_special_arguments) {
  const float specials[] = {0.0F,    -0.0F,    1.0F,    -1.0F,   kInfinity, -kInfinity, kNan,
                            FLT_MAX, -FLT_MAX, FLT_MIN, 1e-40F,  -1e-45F,   2.0F,       -2.0F,
                            0.5F,    -0.5F,    88.8F,   -104.0F, 1e10F};
  constexpr size_t kCases = std::size(kUnaryCases);
  std::vector<float> in(std::size(specials) * kCases);
  for (size_t j = 0; j < in.size(); ++j) in[j] = specials[j / kCases];
  std::vector<float> out = run_unary("precise::", "float", in);
  for (size_t j = 0; j < in.size(); ++j) {
    const UnaryCase& tested = kUnaryCases[j % kCases];
    std::string name = tested.name;
    double exact = tested.exact(in[j]);
    EXPECT_LE(ulp_error(out[j], exact), 2.5) << name << "(" << in[j] << ") = " << out[j];
    if (static_cast<float>(exact) == 0 && out[j] == 0) {
      EXPECT_EQ(std::signbit(out[j]), std::signbit(exact)) << name << "(" << in[j] << ")";
    }
  }
}

TEST(Math, fast_functions_are_close) {
  std::vector<float> in = unary_inputs(257);
  std::vector<float> out = run_unary("fast::", "float", in);
  for (size_t j = 0; j < in.size(); ++j) {
    const UnaryCase& tested = kUnaryCases[j % std::size(kUnaryCases)];
    // Metal's fast sine and cosine promise little outside of one period.
    if (std::string(tested.name).size() == 3 && tested.high >= 100 && std::fabs(in[j]) > 3.2F)
      continue;
    double exact = tested.exact(in[j]);
    ASSERT_NEAR(out[j], exact, 1e-4 * std::fabs(exact) + 1e-5)
        << "fast::" << tested.name << "(" << in[j] << ")";
  }
}

TEST(Math, half_functions_are_within_one_half_ulp) {
  std::vector<float> wide = unary_inputs(513);
  std::vector<_Float16> in(wide.size());
  for (size_t j = 0; j < in.size(); ++j) in[j] = static_cast<_Float16>(wide[j]);
  std::vector<_Float16> out = run_unary("", "half", in);
  for (size_t j = 0; j < in.size(); ++j) {
    const UnaryCase& tested = kUnaryCases[j % std::size(kUnaryCases)];
    double exact = tested.exact(static_cast<double>(in[j]));
    auto rounded = static_cast<_Float16>(static_cast<float>(exact));
    double got = static_cast<double>(out[j]), want = static_cast<double>(rounded);
    if (std::isnan(want)) {
      ASSERT_TRUE(std::isnan(got)) << tested.name << "(" << static_cast<double>(in[j]) << ")";
      continue;
    }
    if (std::isinf(want)) {
      ASSERT_EQ(got, want) << tested.name << "(" << static_cast<double>(in[j]) << ")";
      continue;
    }
    double ulp = std::ldexp(1.0, std::max(want == 0 ? -14 : std::ilogb(want), -14) - 10);
    ASSERT_LE(std::fabs(got - want), ulp)
        << tested.name << "(" << static_cast<double>(in[j]) << ")";
  }
}

struct BinaryCase {
  const char* name;
  double (*exact)(double, double);
  bool positive;  // takes a positive first argument only
};
const BinaryCase kBinaryCases[] = {
    {"pow", [](double x, double y) { return std::pow(x, y); }, true},
    {"powr", [](double x, double y) { return std::pow(x, y); }, true},
    {"atan2", [](double x, double y) { return std::atan2(x, y); }, false},
    {"fmod", [](double x, double y) { return std::fmod(x, y); }, false},
    {"fmin", [](double x, double y) { return std::fmin(x, y); }, false},
    {"fmax", [](double x, double y) { return std::fmax(x, y); }, false},
    {"min", [](double x, double y) { return std::fmin(x, y); }, false},
    {"max", [](double x, double y) { return std::fmax(x, y); }, false},
    {"fdim", [](double x, double y) { return std::fdim(x, y); }, false},
    {"copysign", [](double x, double y) { return std::copysign(x, y); }, false},
    {"divide", [](double x, double y) { return x / y; }, false},
    {"step", [](double x, double y) { return y < x ? 0.0 : 1.0; }, false},
};

TEST(Math, two_argument_functions_are_within_two_and_a_half_ulp_in_vectors) {
  constexpr size_t kCases = std::size(kBinaryCases);
  std::string source =
      "kernel void k(const device float3* a, const device float3* b, device packed_float3* o,"
      " uint i [[thread_position_in_grid]]) {\n";
  for (size_t j = 0; j < kCases; ++j) {
    std::string left = kBinaryCases[j].positive ? "abs(a[i])" : "a[i]";
    source += "  o[" + std::to_string(kCases) + " * i + " + std::to_string(j) +
              "] = " + kBinaryCases[j].name + "(" + left + ", b[i]);\n";
  }
  source += "}\n";
  for (uint32_t n : {1U, 33U, 257U}) {
    std::vector<float> a = arguments_in(-90, 90, 4 * n), b(4 * n), out(3 * n * kCases);
    for (uint32_t i = 0; i < 4 * n; ++i) {
      if (a[i] == 0) a[i] = 0.25F;
      b[i] = static_cast<float>(static_cast<int>(i * 31 % 41) - 20) * 0.375F + 0.125F;
    }
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {buffer(a), buffer(b), buffer(out)});
    for (size_t r = 0; r < out.size(); ++r) {
      size_t i = r / (3 * kCases), j = r / 3 % kCases, lane = r % 3;
      float x = kBinaryCases[j].positive ? std::fabs(a[4 * i + lane]) : a[4 * i + lane];
      float y = b[4 * i + lane];
      ASSERT_LE(ulp_error(out[r], kBinaryCases[j].exact(x, y)), 2.5)
          << kBinaryCases[j].name << "(" << x << ", " << y << ") = " << out[r];
    }
  }
}

TEST(Math, minimum_and_maximum_skip_nan) {
  std::vector<float> out(8);
  std::vector<float> in = {kNan, 3.0F, -kInfinity};
  run_kernel({.source = R"(
    kernel void k(const device float* in, device float* o) {
      float nan = in[0], three = in[1], low = in[2];
      o[0] = fmin(nan, three); o[1] = fmin(three, nan); o[2] = fmax(nan, low); o[3] = max(low, nan);
      o[4] = min(nan, nan); o[5] = clamp(three, low, 2.0f); o[6] = fmax3(nan, three, low);
      o[7] = fmedian3(three, 1.0f, 2.0f);
    })",
              .grid = {1, 1, 1},
              .threadgroup = {1, 1, 1}},
             {buffer(in), buffer(out)});
  EXPECT_TRUE(std::isnan(out[4]));
  out[4] = 0;
  EXPECT_EQ(out, (std::vector<float>{3, 3, -kInfinity, -kInfinity, 0, 2, 3, 2}));
}

TEST(Math, functions_with_two_results_and_exponents_are_exact) {
  const std::string source = R"(
    kernel void k(const device float* in, device float* o, uint i [[thread_position_in_grid]]) {
      float x = in[i];
      int exponent;
      float whole, cosine;
      o += 10 * i;
      o[0] = frexp(x, exponent); o[1] = exponent;
      o[2] = modf(x, whole); o[3] = whole;
      o[4] = sincos(x, cosine); o[5] = cosine;
      o[6] = ldexp(x, 3 - int(i % 7)); o[7] = x == 0 ? 0 : ilogb(x);
      o[8] = nextafter(x, 1000.0f); o[9] = fma(x, x, -1.0f / 3);
    })";
  for (uint32_t n : {1U, 97U, 255U}) {
    std::vector<float> in = arguments_in(-300, 300, n), out(10 * n);
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {64, 1, 1}},
               {buffer(in), buffer(out)});
    for (uint32_t i = 0; i < n; ++i) {
      float x = in[i], whole = 0;
      int exponent = 0;
      const float* o = &out[10 * i];
      EXPECT_EQ(o[0], std::frexp(x, &exponent)) << x;
      EXPECT_EQ(o[1], exponent) << x;
      EXPECT_EQ(o[2], std::modf(x, &whole)) << x;
      EXPECT_EQ(o[3], whole) << x;
      EXPECT_LE(ulp_error(o[4], std::sin(static_cast<double>(x))), 2.5) << x;
      EXPECT_LE(ulp_error(o[5], std::cos(static_cast<double>(x))), 2.5) << x;
      EXPECT_EQ(o[6], std::ldexp(x, 3 - static_cast<int>(i % 7))) << x;
      EXPECT_EQ(o[7], x == 0 ? 0 : std::ilogb(x)) << x;
      EXPECT_EQ(o[8], std::nextafter(x, 1000.0F)) << x;
      EXPECT_EQ(o[9], std::fma(x, x, -1.0F / 3)) << x;
    }
  }
}

TEST(Math, common_and_geometric_functions_match_their_definitions) {
  const std::string source = R"(
    kernel void k(const device float4* in, device float* o, uint i [[thread_position_in_grid]]) {
      float4 v = in[i];
      float3 a = v.xyz, b = v.wxy;
      o += 20 * i;
      o[0] = mix(v.x, v.y, 0.25f); o[1] = saturate(v.z); o[2] = sign(v.w);
      o[3] = smoothstep(-2.0f, 3.0f, v.x); o[4] = dot(a, b); o[5] = length(a);
      o[6] = distance(v, v.wzyx); o[7] = length_squared(v.xy); o[8] = distance_squared(a, b);
      float3 c = cross(a, b), n = normalize(a + 100), r = reflect(a, float3(0, 1, 0));
      o[9] = c.x; o[10] = c.y; o[11] = c.z; o[12] = n.x; o[13] = n.z; o[14] = r.y;
      o[15] = faceforward(a, b, float3(1, 0, 0)).x; o[16] = fract(v.y);
      o[17] = clamp(a, -1.0f, 1.0f).y; o[18] = mix(a, b, float3(0.5f)).z;
      o[19] = dot(int2(v.xy), int2(v.zw));
    })";
  for (uint32_t n : {1U, 33U, 97U}) {
    std::vector<float> in = arguments_in(-9, 9, 4 * n), out(20 * n);
    run_kernel({.source = source, .grid = {n, 1, 1}, .threadgroup = {25, 1, 1}},
               {buffer(in), buffer(out)});
    for (uint32_t i = 0; i < n; ++i) {
      double x = in[4 * i], y = in[4 * i + 1], z = in[4 * i + 2], w = in[4 * i + 3];
      double t = std::clamp((x + 2) / 5, 0.0, 1.0);
      double far = std::sqrt((x + 100) * (x + 100) + (y + 100) * (y + 100) + (z + 100) * (z + 100));
      double dx = x - w, dy = y - x, dz = z - y;
      double fraction = std::min(y - std::floor(y), static_cast<double>(0x1.fffffep-1F));
      double expected[] = {x + (y - x) * 0.25,
                           std::clamp(z, 0.0, 1.0),
                           (w > 0) - (w < 0) + 0.0,
                           t * t * (3 - 2 * t),
                           x * w + y * x + z * y,
                           std::sqrt(x * x + y * y + z * z),
                           std::sqrt(2 * dx * dx + 2 * (y - z) * (y - z)),
                           x * x + y * y,
                           dx * dx + dy * dy + dz * dz,
                           y * y - z * x,
                           z * w - x * y,
                           x * x - y * w,
                           (x + 100) / far,
                           (z + 100) / far,
                           -y,
                           w < 0 ? x : -x,
                           fraction,
                           std::clamp(y, -1.0, 1.0),
                           (z + y) / 2,
                           std::trunc(x) * std::trunc(z) + std::trunc(y) * std::trunc(w)};
      for (int j = 0; j < 20; ++j) {
        ASSERT_NEAR(out[20 * i + j], expected[j], 2e-5 + 1e-6 * std::fabs(expected[j]))
            << "result " << j << " at " << i;
      }
    }
  }
}

}  // namespace
}  // namespace assay::testing
