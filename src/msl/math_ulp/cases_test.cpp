// Every math function of our headers keeps its bound, and behaves at the special values that
// C99 Annex F lists.
#include "msl/math_ulp/cases.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "msl/math_ulp/native_functions.h"
#include "msl/math_ulp/report.h"

namespace assay::msl::math_ulp {

void PrintTo(const Case& printed, std::ostream* stream) {
  *stream << printed.variant << "::" << printed.name;
}

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr std::size_t kSamples = 10'007;

class EachFunction : public testing::TestWithParam<Case> {};

TEST_P(EachFunction, keeps_its_bound) {
  const Case& tested = GetParam();
  Function function = find_native_function(tested.variant, tested.name);
  ASSERT_TRUE(function);
  Samples samples = make_samples(tested.pairing, kSamples, tested.low, tested.high);
  ASSERT_GE(samples.a.size(), kSamples);
  Measurement m =
      measure(function, tested.reference, samples.a, samples.b, tested.normal_results_only);
  EXPECT_GT(m.samples, kSamples / 100);
  EXPECT_LE(m.max_ulp, tested.bound_ulp) << table_row(tested, m);
  EXPECT_EQ(m.failures, 0u) << table_row(tested, m);
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.variant + "_" + info.param.name;
  for (char& c : name) {
    c = c == '.' ? '_' : c;
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Math, EachFunction, testing::ValuesIn(all_cases()), test_name);

float call(const std::string& name, float a, float b = 0, const std::string& variant = "precise") {
  float out = 0;
  find_native_function(variant, name)({&a, 1}, {&b, 1}, {&out, 1});
  return out;
}

struct SpecialValue {
  const char* name;
  float a;
  float b;
  float expected;
};

// Written out from the standards, not taken from MPFR, whose own choices could differ.
TEST(SpecialValues, of_functions_of_two_arguments_follow_annex_f) {
  const float pi = 0x1.921fb6p+1f;
  const SpecialValue rows[] = {
      {"pow", 0, -3, kInfinity},
      {"pow", -0.0f, -3, -kInfinity},
      {"pow", -0.0f, -2, kInfinity},
      {"pow", -0.0f, 3, -0.0f},
      {"pow", -0.0f, 0.5f, 0},
      {"pow", -1, kInfinity, 1},
      {"pow", 1, kNan, 1},
      {"pow", kNan, 0, 1},
      {"pow", kNan, 1, kNan},
      {"pow", -8, 1.0f / 3, kNan},
      {"pow", 0.5f, -kInfinity, kInfinity},
      {"pow", 2, -kInfinity, 0},
      {"pow", -kInfinity, -3, -0.0f},
      {"pow", -kInfinity, -2.5f, 0},
      {"pow", -kInfinity, 3, -kInfinity},
      {"pow", -2, 3, -8},
      {"pow", -2, 0x1p24f, kInfinity},
      {"pow", -3, 2, 9},
      {"powr", 0, 0, kNan},
      {"powr", kInfinity, 0, kNan},
      {"powr", 1, kInfinity, kNan},
      {"powr", -1, 2, kNan},
      {"powr", -0.0f, -1, kInfinity},
      {"powr", 0, 2, 0},
      {"atan2", 0, 0, 0},
      {"atan2", -0.0f, 0, -0.0f},
      {"atan2", 0, -0.0f, pi},
      {"atan2", -0.0f, -1, -pi},
      {"atan2", 1, 0, pi / 2},
      {"atan2", kInfinity, kInfinity, pi / 4},
      {"atan2", kInfinity, -kInfinity, 3 * (pi / 4)},
      {"atan2", 1, -kInfinity, pi},
      {"atan2", -1, kInfinity, -0.0f},
      {"atan2", kNan, 1, kNan},
      {"fmod", -6, 3, -0.0f},
      {"fmod", 5, kInfinity, 5},
      {"fmod", kInfinity, 2, kNan},
      {"fmod", 1, 0, kNan},
      {"fmod", 0x1.fffffep127f, 0x1p-149f, 0},
      {"fdim", 1, kNan, kNan},
      {"fdim", kInfinity, kInfinity, 0},
      {"nextafter", 0, -1, -0x1p-149f},
      {"nextafter", 0x1.fffffep127f, kInfinity, kInfinity},
      {"nextafter", 1, 1, 1},
  };
  for (const SpecialValue& row : rows) {
    SCOPED_TRACE(std::string(row.name) + " " + std::to_string(row.a) + " " + std::to_string(row.b));
    float result = call(row.name, row.a, row.b);
    if (std::isnan(row.expected)) {
      EXPECT_TRUE(std::isnan(result)) << result;
    } else {
      EXPECT_EQ(result, row.expected);
      EXPECT_EQ(std::signbit(result), std::signbit(row.expected));
    }
  }
}

TEST(SpecialValues, of_functions_of_one_argument_follow_annex_f) {
  const SpecialValue rows[] = {
      {"sin", -0.0f, 0, -0.0f},
      {"sin", kInfinity, 0, kNan},
      {"cos", 0, 0, 1},
      {"cos", -kInfinity, 0, kNan},
      {"tan", -0.0f, 0, -0.0f},
      {"sinpi", 3, 0, 0},
      {"sinpi", -2, 0, -0.0f},
      {"cospi", 2.5f, 0, 0},
      {"cospi", 0x1p30f, 0, 1},
      {"cospi", 0x1.000002p23f, 0, -1},
      {"tanpi", 0.5f, 0, kInfinity},
      {"tanpi", 1.5f, 0, -kInfinity},
      {"tanpi", 1, 0, -0.0f},
      {"asin", 1.5f, 0, kNan},
      {"acos", 1, 0, 0},
      {"atan", 1, 0, 0x1.921fb6p-1f},
      {"acosh", 1, 0, 0},
      {"acosh", 0.5f, 0, kNan},
      {"atanh", 1, 0, kInfinity},
      {"atanh", -1, 0, -kInfinity},
      {"exp", -kInfinity, 0, 0},
      {"exp", 0, 0, 1},
      {"exp2", 10, 0, 1024},
      {"exp2", -149, 0, 0x1p-149f},
      {"log", 1, 0, 0},
      {"log", -0.0f, 0, -kInfinity},
      {"log", -1, 0, kNan},
      {"log2", 0x1p-149f, 0, -149},
      {"log2", 8, 0, 3},
      {"log10", 1, 0, 0},
      {"rsqrt", 0, 0, kInfinity},
      {"rsqrt", kInfinity, 0, 0},
      {"round", 0.49999997f, 0, 0},
      {"round", -2.5f, 0, -3},
      {"rint", 2.5f, 0, 2},
      {"rint", -0.5f, 0, -0.0f},
      {"ceil", -0.5f, 0, -0.0f},
      {"floor", -0.0f, 0, -0.0f},
      {"tanh", kInfinity, 0, 1},
  };
  for (const SpecialValue& row : rows) {
    SCOPED_TRACE(std::string(row.name) + " " + std::to_string(row.a));
    float result = call(row.name, row.a);
    if (std::isnan(row.expected)) {
      EXPECT_TRUE(std::isnan(result)) << result;
    } else {
      EXPECT_EQ(result, row.expected);
      EXPECT_EQ(std::signbit(result), std::signbit(row.expected));
    }
  }
}

TEST(Sine, never_exceeds_one_near_its_maximum) {
  for (float x = 1.569f; x < 1.573f; x = std::nextafter(x, 2.0f)) {
    ASSERT_LE(call("sin", x), 1.0f) << x;
    ASSERT_LE(call("sin", x, 0, "fast"), 1.0f) << x;
  }
  EXPECT_EQ(call("cos", 0, 0, "fast"), 1.0f);
}

// The multiples of pi/2 that floats come closest to, below and above the switch of reductions.
TEST(Trigonometry, keeps_its_bound_next_to_its_zeros_and_poles) {
  std::vector<float> a;
  for (double n = 1; n < 300000; n += 1) {
    float nearest = static_cast<float>(n * 1.5707963267948966);
    if (std::fabs(std::remainder(static_cast<double>(nearest), 1.5707963267948966)) < 1e-5) {
      a.push_back(nearest);
    }
  }
  ASSERT_GT(a.size(), 100u);
  std::vector<float> b(a.size());
  for (const Case& tested : all_cases()) {
    bool wanted = tested.name == "tan" || tested.name == "sin" || tested.name == "cos";
    if (wanted && tested.variant == "precise") {
      Function function = find_native_function(tested.variant, tested.name);
      Measurement m = measure(function, tested.reference, a, b, false);
      EXPECT_LE(m.max_ulp, tested.bound_ulp) << table_row(tested, m);
      EXPECT_EQ(m.failures, 0u) << table_row(tested, m);
    }
  }
}

TEST(Sincos, gives_the_bits_of_sin_and_cos) {
  for (float x = 0x1.5p-126f; x < 0x1p127f; x *= 1.0371f) {
    EXPECT_EQ(call("sincos", x), call("sin", x)) << x;
    EXPECT_EQ(call("sincos.cos", -x), call("cos", -x)) << x;
  }
}

TEST(Fast, keeps_trigonometric_results_bounded_for_huge_arguments) {
  for (float x = 1; x < 0x1p126f; x *= 1.37f) {
    EXPECT_LE(std::fabs(call("sin", x, 0, "fast")), 1.0f) << x;
    EXPECT_LE(std::fabs(call("cos", -x, 0, "fast")), 1.0f) << x;
  }
}

TEST(Fast, has_every_precise_function) {
  for (const Case& tested : all_cases()) {
    if (tested.variant == "precise") {
      EXPECT_TRUE(find_native_function("fast", tested.name)) << tested.name;
    }
  }
}

TEST(NativeFunctions, are_not_found_under_other_names) {
  EXPECT_FALSE(find_native_function("precise", "erf"));
  EXPECT_FALSE(find_native_function("slow", "sin"));
}

}  // namespace
}  // namespace assay::msl::math_ulp
