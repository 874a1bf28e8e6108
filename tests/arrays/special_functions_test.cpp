// Functions that MSL has not: errors in units of the last place of the exact result.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/arrays/reference.h"

namespace mx = assay;

namespace {

double ulps(float found, double exact) {
  if (std::isnan(exact)) return std::isnan(found) ? 0 : INFINITY;
  const auto rounded = static_cast<float>(exact);
  if (found == rounded) return 0;
  const float size = std::max(std::abs(rounded), std::numeric_limits<float>::min());
  const double unit = std::nextafter(size, INFINITY) - size;
  return std::abs(found - exact) / unit;
}

// Every float with the low bits of its pattern skipped, between the limits and their negatives.
std::vector<float> floats_between(float low, float high) {
  std::vector<float> values;
  for (uint32_t bits = std::bit_cast<uint32_t>(low); bits < std::bit_cast<uint32_t>(high);
       bits += 1999) {
    values.push_back(std::bit_cast<float>(bits));
    values.push_back(-values.back());
  }
  values.insert(values.end(), {low, -low, high, -high});
  return values;
}

void expect_ulps(const std::vector<float>& values,
                 mx::array (*op)(const mx::array&, mx::StreamOrDevice),
                 const std::function<double(double)>& exact, double limit) {
  mx::array found = op(mx::array(values.begin(), {static_cast<int>(values.size())}), {});
  found.eval();
  double worst = 0;
  float place = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double error = ulps(found.data<float>()[i], exact(values[i]));
    if (error > worst) worst = error, place = values[i];
  }
  EXPECT_LE(worst, limit) << "at " << place;
}

double erfinv(double x) {
  if (std::abs(x) == 1.0) return x * INFINITY;
  if (!(std::abs(x) < 1.0)) return NAN;
  const double size = std::abs(x);
  // Newton on the logarithm of erfc: it is almost a parabola.
  double y = std::sqrt(-std::log1p(-size * size));
  for (int i = 0; i < 60; ++i) {
    const double error = size < 0.5 ? std::erf(y) - size : (1.0 - size) - std::erfc(y);
    const double step = error * std::sqrt(M_PI) / 2 * std::exp(y * y);
    y -= step / (1 + y * step);
  }
  return std::copysign(y, x);
}

TEST(SpecialFunctions, are_exact_to_a_few_units) {
  expect_ulps(floats_between(1e-30f, 10.0f), mx::erf, [](double x) { return std::erf(x); }, 2.0);
  expect_ulps(
      floats_between(1e-30f, 80.0f), mx::expm1, [](double x) { return std::expm1(x); }, 2.0);
  expect_ulps(
      floats_between(1e-30f, 1e30f), mx::log1p, [](double x) { return std::log1p(x); }, 2.0);
}

TEST(SpecialFunctions, invert_erf_up_to_its_ends) {
  expect_ulps(floats_between(1e-20f, 1.0f), mx::erfinv, erfinv, 4.0);
  expect_ulps({0.0f, 1.0f, -1.0f, 1.5f, NAN, 1.0f - 0x1p-24f, 0x1p-24f - 1.0f}, mx::erfinv, erfinv,
              4.0);
}

TEST(SpecialFunctions, know_their_limits) {
  const float infinity = INFINITY;
  const std::vector<float> ends = {infinity, -infinity, NAN, 200.0f, -200.0f, 0.0f};
  expect_ulps(ends, mx::erf, [](double x) { return std::erf(x); }, 0);
  expect_ulps(ends, mx::expm1, [](double x) { return std::expm1(x); }, 0);
  expect_ulps(
      {infinity, NAN, -1.0f, -2.0f, 0.0f}, mx::log1p, [](double x) { return std::log1p(x); }, 0);
}

}  // namespace
