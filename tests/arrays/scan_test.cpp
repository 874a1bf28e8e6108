// Running results, positions of extremes and softmax against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::make, reference::numbers, reference::values_of;

namespace {

using Step = double (*)(double, double);

std::vector<double> scan_lines(const std::vector<double>& values, const mx::Shape& shape,
                               size_t axis, Step step, double start, bool reverse, bool inclusive) {
  std::vector<double> results(values.size());
  reference::for_lines(shape, axis, [&](std::vector<size_t> line) {
    if (reverse) std::reverse(line.begin(), line.end());
    double total = start;
    for (const size_t index : line) {
      const double next = step(total, values[index]);
      results[index] = inclusive ? next : total;
      total = next;
    }
  });
  return results;
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    if (found[i] == expected[i]) continue;  // infinities
    ASSERT_NEAR(found[i], expected[i], tolerance) << i;
  }
}

class ScanShapes : public ::testing::TestWithParam<mx::Shape> {};

TEST_P(ScanShapes, run_in_both_directions) {
  const mx::Shape shape = GetParam();
  const mx::array a = make(numbers(reference::count(shape), 1.0), shape);
  const std::vector<double> values = values_of(a);
  const double infinity = std::numeric_limits<double>::infinity();
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int number = static_cast<int>(axis);
    for (const bool reverse : {false, true}) {
      for (const bool inclusive : {false, true}) {
        const auto expected = [&](Step step, double start) {
          return scan_lines(values, shape, axis, step, start, reverse, inclusive);
        };
        expect_near(values_of(mx::cumsum(a, number, reverse, inclusive)),
                    expected([](double x, double y) { return x + y; }, 0.0), 2e-3);
        expect_near(values_of(mx::cummax(a, number, reverse, inclusive)),
                    expected([](double x, double y) { return std::max(x, y); }, -infinity), 0.0);
        expect_near(values_of(mx::cummin(a, number, reverse, inclusive)),
                    expected([](double x, double y) { return std::min(x, y); }, infinity), 0.0);
        const Step add_exponents = [](double x, double y) {
          return x == -std::numeric_limits<double>::infinity()
                     ? y
                     : std::max(x, y) + std::log1p(std::exp(-std::abs(x - y)));
        };
        expect_near(values_of(mx::logcumsumexp(a, number, reverse, inclusive)),
                    expected(add_exponents, -infinity), 1e-4);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Scan, ScanShapes,
                         ::testing::Values(mx::Shape{1}, mx::Shape{31}, mx::Shape{32},
                                           mx::Shape{1025}, mx::Shape{5, 97}, mx::Shape{97, 5},
                                           mx::Shape{3, 70, 9}, mx::Shape{70001}));

TEST(Scan, takes_other_types_and_strides) {
  const mx::array bytes = make({1, 2, 3, 4, 5, 6}, {2, 3}, mx::int8);
  EXPECT_EQ(values_of(mx::cumsum(bytes, 1)), (std::vector<double>{1, 3, 6, 4, 9, 15}));
  EXPECT_EQ(mx::cumsum(bytes, 1).dtype(), mx::int8);
  EXPECT_EQ(values_of(mx::cumsum(bytes)), (std::vector<double>{1, 3, 6, 10, 15, 21}));
  EXPECT_EQ(values_of(mx::cumprod(mx::transpose(bytes), 1)),
            (std::vector<double>{1, 4, 2, 10, 3, 18}));
  const mx::array flags = make({1, 0, 1}, {3}, mx::bool_);
  EXPECT_EQ(values_of(mx::cumsum(flags)), (std::vector<double>{1, 1, 2}));
  EXPECT_EQ(mx::cumsum(flags).dtype(), mx::int32);
  EXPECT_EQ(mx::cumsum(make({}, {0, 2}), 0).shape(), (mx::Shape{0, 2}));
  EXPECT_THROW(mx::cumsum(flags, 1), std::invalid_argument);
}

class ArgShapes : public ::testing::TestWithParam<mx::Shape> {};

TEST_P(ArgShapes, find_the_first_extreme) {
  const mx::Shape shape = GetParam();
  std::vector<double> values = numbers(reference::count(shape), 50.0);
  for (double& value : values) value = std::floor(value);  // so that many are equal
  for (const mx::Dtype dtype : {mx::float32, mx::int16}) {
    const mx::array a = make(values, shape, dtype);
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      const auto highest = [](const std::vector<double>& line) {
        return static_cast<double>(std::max_element(line.begin(), line.end()) - line.begin());
      };
      const auto lowest = [](const std::vector<double>& line) {
        return static_cast<double>(std::min_element(line.begin(), line.end()) - line.begin());
      };
      const int number = static_cast<int>(axis);
      EXPECT_EQ(values_of(mx::argmax(a, number)),
                reference::reduce_lines(values, shape, axis, highest));
      EXPECT_EQ(values_of(mx::argmin(a, number)),
                reference::reduce_lines(values, shape, axis, lowest));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(ArgReduce, ArgShapes,
                         ::testing::Values(mx::Shape{1}, mx::Shape{31}, mx::Shape{1025},
                                           mx::Shape{70001}, mx::Shape{3, 5}, mx::Shape{5, 97},
                                           mx::Shape{1025, 40}, mx::Shape{40, 3, 50},
                                           mx::Shape{3000, 2}, mx::Shape{2, 70001}));

TEST(ArgReduce, never_picks_nan_and_keeps_axes_if_told) {
  const mx::array a = make({NAN, 1, 3, NAN, 3, 2}, {2, 3});
  EXPECT_EQ(mx::argmax(a).item<uint32_t>(), 2u);
  EXPECT_EQ(mx::argmax(a, true).shape(), (mx::Shape{1, 1}));
  EXPECT_EQ(values_of(mx::argmin(a, 1)), (std::vector<double>{1, 2}));
  EXPECT_EQ(mx::argmin(a, 1, true).shape(), (mx::Shape{2, 1}));
  EXPECT_EQ(values_of(mx::argmax(mx::transpose(a), 0)), (std::vector<double>{2, 1}));
  EXPECT_EQ(mx::argmax(a).dtype(), mx::uint32);
  EXPECT_THROW(mx::argmax(make({}, {0})), std::invalid_argument);
}

std::vector<double> softmax_lines(const std::vector<double>& values, const mx::Shape& shape,
                                  size_t axis) {
  std::vector<double> results(values.size());
  reference::for_lines(shape, axis, [&](const std::vector<size_t>& line) {
    double sum = 0;
    for (const size_t index : line) sum += std::exp(values[index]);
    for (const size_t index : line) results[index] = std::exp(values[index]) / sum;
  });
  return results;
}

TEST(Softmax, divides_by_the_sum_of_exponentials) {
  for (const mx::Shape& shape :
       {mx::Shape{1}, mx::Shape{3, 31}, mx::Shape{5, 1025}, mx::Shape{2, 70001}, mx::Shape{200'000},
        mx::Shape{7, 40, 9}, mx::Shape{33, 15}, mx::Shape{130, 16}}) {
    for (const mx::Dtype dtype : {mx::float32, mx::float16, mx::bfloat16}) {
      const mx::array a = make(numbers(reference::count(shape)), shape, dtype);
      const std::vector<double> values = values_of(a);
      const double tolerance = dtype == mx::float32 ? 1e-6 : dtype == mx::float16 ? 1e-3 : 8e-3;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        const mx::array found = mx::softmax(a, static_cast<int>(axis));
        EXPECT_EQ(found.dtype(), dtype);
        expect_near(values_of(found), softmax_lines(values, shape, axis), tolerance);
      }
    }
  }
}

TEST(Softmax, takes_large_numbers_and_several_axes) {
  const mx::array large = make({1000, 1001, -1000}, {3});
  expect_near(values_of(mx::softmax(large)), softmax_lines({-1, 0, -2001}, {3}, 0), 1e-6);
  const mx::array a = make(numbers(24), {2, 3, 4});
  expect_near(values_of(mx::softmax(a, std::vector<int>{1, 2})),
              softmax_lines(values_of(a), {2, 12}, 1), 1e-6);
  expect_near(values_of(mx::softmax(mx::transpose(a, {0, 2, 1}), -1)),
              values_of(mx::transpose(mx::softmax(a, 1), {0, 2, 1})), 1e-6);
  EXPECT_EQ(mx::softmax(make({}, {0})).size(), 0u);
}

TEST(LogSumExp, matches_its_definition) {
  const mx::Shape shape{13, 203};
  const mx::array a = make(numbers(13 * 203), shape);
  const auto expected = [](const std::vector<double>& line) {
    double sum = 0;
    for (const double value : line) sum += std::exp(value);
    return std::log(sum);
  };
  for (const size_t axis : {0, 1}) {
    expect_near(values_of(mx::logsumexp(a, static_cast<int>(axis))),
                reference::reduce_lines(values_of(a), shape, axis, expected), 1e-5);
  }
  EXPECT_NEAR(mx::logsumexp(a).item<float>(), expected(values_of(a)), 1e-5);
  EXPECT_EQ(mx::logsumexp(a, 1, true).shape(), (mx::Shape{13, 1}));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(mx::logsumexp(make({-infinity, -infinity}, {2})).item<float>(), -infinity);
  EXPECT_EQ(mx::logsumexp(make({1, infinity}, {2})).item<float>(), infinity);
}

}  // namespace
