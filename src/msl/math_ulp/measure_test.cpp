// The measuring tool itself, against functions with known errors.
#include "msl/math_ulp/measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace assay::msl::math_ulp {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

void exact_identity(mpfr_ptr out, float a, float) { mpfr_set_flt(out, a, MPFR_RNDN); }
void exact_third(mpfr_ptr out, float a, float) {
  mpfr_set_flt(out, a, MPFR_RNDN);
  mpfr_div_ui(out, out, 3, MPFR_RNDN);
}

Measurement measure_identity(std::vector<float> a, std::vector<float> results) {
  Meter meter({exact_identity}, false);
  meter.add(a, std::vector<float>(a.size()), results);
  return meter.result();
}

TEST(Meter, counts_steps_of_the_last_place) {
  Measurement m = measure_identity({1.0f, 3.0f}, {0x1.000006p+0f, 3.0f});
  EXPECT_EQ(m.samples, 2u);
  EXPECT_EQ(m.failures, 0u);
  EXPECT_DOUBLE_EQ(m.max_ulp, 3.0);
  EXPECT_DOUBLE_EQ(m.mean_ulp, 1.5);
  EXPECT_EQ(m.worst.a, 1.0f);
}

TEST(Meter, takes_the_unit_from_the_exact_value_below_a_power_of_two) {
  Measurement m = measure_identity({0x1.fffffep-1f}, {1.0f});
  EXPECT_DOUBLE_EQ(m.max_ulp, 1.0);
}

TEST(Meter, uses_the_smallest_subnormal_as_unit_near_zero) {
  Measurement m = measure_identity({0x1p-149f, 0.0f}, {0x1p-147f, 0x1p-148f});
  EXPECT_DOUBLE_EQ(m.max_ulp, 3.0);
  EXPECT_EQ(m.failures, 0u);
}

TEST(Meter, sees_errors_below_one_unit) {
  Meter meter({exact_third}, false);
  std::vector<float> one = {1.0f};
  meter.add(one, one, std::vector<float>{1.0f / 3.0f});
  EXPECT_NEAR(meter.result().max_ulp, 1.0 / 3.0, 1e-9);
}

TEST(Meter, reports_results_of_the_wrong_kind_as_failures) {
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(measure_identity({1.0f}, {nan}).failures, 1u);
  EXPECT_EQ(measure_identity({nan}, {1.0f}).failures, 1u);
  EXPECT_EQ(measure_identity({kInfinity}, {-kInfinity}).failures, 1u);
  EXPECT_EQ(measure_identity({kInfinity}, {0x1.fffffep+127f}).failures, 1u);
  EXPECT_EQ(measure_identity({1.0f}, {kInfinity}).failures, 1u);
  EXPECT_EQ(measure_identity({0.0f}, {-0.0f}).failures, 1u);
  EXPECT_EQ(measure_identity({nan, kInfinity, -0.0f}, {nan, kInfinity, -0.0f}).failures, 0u);
}

TEST(Meter, remembers_the_first_failure) {
  Measurement m = measure_identity({1.0f, 5.0f, 7.0f}, {1.0f, kInfinity, kInfinity});
  EXPECT_EQ(m.failures, 2u);
  EXPECT_EQ(m.first_failure.a, 5.0f);
}

TEST(Meter, leaves_out_subnormal_results_on_request) {
  Meter meter({exact_identity}, true);
  std::vector<float> a = {0x1p-130f, 1.0f};
  meter.add(a, a, std::vector<float>{0.0f, 1.0f});
  EXPECT_EQ(meter.result().samples, 1u);
  EXPECT_EQ(meter.result().max_ulp, 0.0);
}

TEST(Meter, finds_the_same_maximum_with_the_approximate_reference) {
  std::vector<float> a;
  std::vector<float> results;
  for (int i = 1; i < 1001; ++i) {
    a.push_back(static_cast<float>(i) * 0.37f);
    results.push_back(a.back() * 0.333333f);
  }
  for (float special : {0.0f, -0.0f, kInfinity, -kInfinity, 0x1p-149f}) {
    a.push_back(special);
    results.push_back(special / 3.0f);
  }
  Meter exact({exact_third}, false);
  exact.add(a, a, results);
  Meter quick({exact_third, [](double x) { return x / 3; }}, false);
  quick.add_quickly(a, results);
  EXPECT_EQ(exact.result().samples, quick.result().samples);
  EXPECT_EQ(exact.result().failures, 0u);
  EXPECT_EQ(quick.result().failures, 0u);
  EXPECT_EQ(exact.result().max_ulp, quick.result().max_ulp);
  EXPECT_EQ(exact.result().worst.a, quick.result().worst.a);
  EXPECT_NEAR(exact.result().mean_ulp, quick.result().mean_ulp, 1e-6);
}

}  // namespace
}  // namespace assay::msl::math_ulp
