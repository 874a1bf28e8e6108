// Reductions against plain loops.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::make, reference::numbers, reference::reduce_lines, reference::values_of;

namespace {

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}
double highest(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end());
}
double lowest(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance * std::max(1.0, std::abs(expected[i]) / 16)) << i;
  }
}

class Shapes : public ::testing::TestWithParam<mx::Shape> {};

TEST_P(Shapes, reduce_along_every_axis) {
  const mx::Shape shape = GetParam();
  const mx::array a = make(numbers(reference::count(shape)), shape);
  const std::vector<double> values = values_of(a);
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const int number = static_cast<int>(axis);
    expect_near(values_of(mx::sum(a, number)), reduce_lines(values, shape, axis, total),
                1e-7 * static_cast<double>(values.size()) + 1e-4);
    EXPECT_EQ(values_of(mx::max(a, number)), reduce_lines(values, shape, axis, highest));
    EXPECT_EQ(values_of(mx::min(a, number)), reduce_lines(values, shape, axis, lowest));
  }
  EXPECT_NEAR(mx::sum(a).item<float>(), total(values), 5e-3);
  EXPECT_EQ(mx::max(a).item<float>(), highest(values));
}

INSTANTIATE_TEST_SUITE_P(Reduce, Shapes,
                         ::testing::Values(mx::Shape{1}, mx::Shape{31}, mx::Shape{97},
                                           mx::Shape{1025}, mx::Shape{70001}, mx::Shape{3, 5},
                                           mx::Shape{33, 257}, mx::Shape{1025, 97},
                                           mx::Shape{700, 3}, mx::Shape{3, 700},
                                           mx::Shape{2, 70001}, mx::Shape{70001, 2},
                                           mx::Shape{4, 1, 33, 7}, mx::Shape{17, 300, 40}));

TEST(Reduce, takes_several_axes_and_keeps_them_if_told) {
  const mx::Shape shape{5, 6, 7, 8};
  const std::vector<double> values = numbers(5 * 6 * 7 * 8);
  const mx::array a = make(values, shape);
  std::vector<double> expected(6 * 8), expected_rest(5 * 7);
  const std::vector<double> rounded = values_of(a);
  for (size_t i = 0; i < values.size(); ++i) {
    expected[i / 56 % 6 * 8 + i % 8] += rounded[i];
    expected_rest[i / 336 * 7 + i / 8 % 7] += rounded[i];
  }
  const mx::array found = mx::sum(a, std::vector<int>{0, -2}, true);
  EXPECT_EQ(found.shape(), (mx::Shape{1, 6, 1, 8}));
  expect_near(values_of(found), expected, 1e-3);
  const mx::array rest = mx::sum(a, std::vector<int>{3, 1});
  EXPECT_EQ(rest.shape(), (mx::Shape{5, 7}));
  expect_near(values_of(rest), expected_rest, 1e-3);
}

TEST(Reduce, walks_views_without_copies) {
  const mx::array a = make(numbers(60 * 50 * 7), {60, 50, 7});
  const std::vector<mx::array> views = {
      mx::transpose(a), mx::transpose(a, {1, 0, 2}),
      mx::slice(a, {3, 1, 0}, {60, 40, 6}, {2, 3, 1}),
      mx::broadcast_to(mx::slice(a, {0, 0, 0}, {60, 1, 7}), {60, 45, 7}),
      mx::slice(a, {59, 49, 6}, {-61, -51, -8}, {-1, -1, -1})};
  for (const mx::array& view : views) {
    const std::vector<double> values = values_of(view);
    for (size_t axis = 0; axis < 3; ++axis) {
      const int number = static_cast<int>(axis);
      expect_near(values_of(mx::sum(view, number)), reduce_lines(values, view.shape(), axis, total),
                  1e-4);
    }
    EXPECT_NEAR(mx::sum(view).item<float>(), total(values), 5e-3);
    EXPECT_EQ(mx::max(view, std::vector<int>{0, 2}).shape(), (mx::Shape{view.shape(1)}));
    EXPECT_EQ(mx::max(mx::max(view, 0), 1).shape(), (mx::Shape{view.shape(1)}));
    EXPECT_EQ(values_of(mx::max(view, std::vector<int>{0, 2})),
              values_of(mx::max(mx::max(view, 2), 0)));
  }
}

TEST(Reduce, gives_the_types_of_mlx) {
  const auto sum_type = [](mx::Dtype dtype) { return mx::sum(mx::array(1, dtype), false).dtype(); };
  const auto of = [](mx::Dtype dtype) { return mx::sum(make({1, 2}, {2}, dtype)).dtype(); };
  EXPECT_EQ(of(mx::bool_), mx::int32);
  EXPECT_EQ(of(mx::int8), mx::int32);
  EXPECT_EQ(of(mx::uint16), mx::uint32);
  EXPECT_EQ(of(mx::uint64), mx::uint64);
  EXPECT_EQ(of(mx::float16), mx::float16);
  EXPECT_EQ(sum_type(mx::int16), mx::int16);  // nothing to reduce, nothing changed
  EXPECT_EQ(mx::max(make({1, 2}, {2}, mx::int8)).dtype(), mx::int8);
  EXPECT_EQ(mx::all(make({1, 2}, {2})).dtype(), mx::bool_);
  EXPECT_EQ(mx::mean(make({1, 2}, {2}, mx::int8)).dtype(), mx::float32);
}

class Types : public ::testing::TestWithParam<mx::Dtype> {};

TEST_P(Types, sum_and_order) {
  const mx::Shape shape{67, 130};
  const mx::array a = make(numbers(67 * 130, 2.0), shape, GetParam());
  const std::vector<double> values = values_of(a);
  const bool is_short = GetParam() == mx::float16 || GetParam() == mx::bfloat16;
  for (const int axis : {0, 1}) {
    const auto along = static_cast<size_t>(axis);
    expect_near(values_of(mx::sum(a, axis)), reduce_lines(values, shape, along, total),
                is_short ? 0.2 : 1e-4);
    EXPECT_EQ(values_of(mx::min(a, axis)), reduce_lines(values, shape, along, lowest));
    EXPECT_EQ(values_of(mx::max(a, axis)), reduce_lines(values, shape, along, highest));
  }
  const auto product = [](const std::vector<double>& line) {
    return std::accumulate(line.begin(), line.end(), 1.0, std::multiplies<>());
  };
  const mx::array few = make({1, 2, 1, 1, 1, 2}, {2, 3}, GetParam());
  EXPECT_EQ(values_of(mx::prod(few, 1)), reduce_lines(values_of(few), {2, 3}, 1, product));
}

INSTANTIATE_TEST_SUITE_P(Reduce, Types,
                         ::testing::Values(mx::int8, mx::int16, mx::int32, mx::int64, mx::float16,
                                           mx::bfloat16, mx::float32, mx::complex64));

TEST(Reduce, counts_truth) {
  std::vector<double> values(3 * 100, 0.0);
  values[120] = 1;
  std::fill(values.begin() + 200, values.end(), 2.0);
  for (const mx::Dtype dtype : {mx::bool_, mx::uint8, mx::float32, mx::complex64}) {
    const mx::array a = make(values, {3, 100}, dtype);
    EXPECT_EQ(values_of(mx::any(a, 1)), (std::vector<double>{0, 1, 1}));
    EXPECT_EQ(values_of(mx::all(a, 1)), (std::vector<double>{0, 0, 1}));
    EXPECT_EQ(values_of(mx::count_nonzero(a, 1)), (std::vector<double>{0, 1, 100}));
    EXPECT_TRUE(mx::any(a).item<bool>());
    EXPECT_FALSE(mx::all(a).item<bool>());
  }
  EXPECT_EQ(mx::sum(make(values, {300}, mx::bool_)).item<int>(), 101);
}

TEST(Reduce, propagates_nan) {
  for (const mx::Shape& shape : {mx::Shape{3, 100}, mx::Shape{100, 3}}) {
    std::vector<double> values = numbers(300);
    values[151] = NAN;
    const mx::array a = make(values, shape);
    EXPECT_TRUE(std::isnan(mx::max(a).item<float>()));
    EXPECT_TRUE(std::isnan(mx::min(a).item<float>()));
    for (const int axis : {0, 1}) {
      int count = 0;
      for (const double value : values_of(mx::max(a, axis))) count += std::isnan(value) ? 1 : 0;
      EXPECT_EQ(count, 1) << axis;
    }
  }
}

TEST(Reduce, of_nothing_is_the_identity_or_an_error) {
  const mx::array empty = make({}, {0, 3});
  EXPECT_EQ(values_of(mx::sum(empty, 0)), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(values_of(mx::prod(empty)), (std::vector<double>{1}));
  EXPECT_EQ(values_of(mx::all(empty, 0)), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(mx::sum(empty, 1).shape(), (mx::Shape{0}));
  EXPECT_EQ(mx::max(empty, 1).shape(), (mx::Shape{0}));
  EXPECT_THROW(mx::max(empty, 0), std::invalid_argument);
  EXPECT_THROW(mx::min(empty), std::invalid_argument);
}

TEST(Reduce, refuses_wrong_axes) {
  const mx::array a = make({1, 2}, {2});
  EXPECT_THROW(mx::sum(a, 1), std::out_of_range);
  EXPECT_THROW(mx::sum(a, -2), std::out_of_range);
  EXPECT_THROW(mx::sum(a, std::vector<int>{0, 0}), std::invalid_argument);
}

TEST(Reduce, adds_long_arrays_without_losing_digits) {
  const size_t size = 3'000'001;
  const std::vector<float> tenths(size, 0.1f);
  const mx::array a(tenths.begin(), {static_cast<int>(size)});
  EXPECT_NEAR(mx::sum(a).item<float>() / (0.1f * size), 1.0, 1e-6);
}

TEST(Statistics, match_their_definitions) {
  const mx::Shape shape{41, 203};
  const mx::array a = make(numbers(41 * 203), shape);
  const std::vector<double> values = values_of(a);
  for (const int ddof : {0, 1}) {
    const auto spread = [&](const std::vector<double>& line) {
      const double middle = total(line) / static_cast<double>(line.size());
      double squares = 0;
      for (const double value : line) squares += (value - middle) * (value - middle);
      return squares / static_cast<double>(line.size() - ddof);
    };
    for (const size_t axis : {0, 1}) {
      const int number = static_cast<int>(axis);
      std::vector<double> expected = reduce_lines(values, shape, axis, spread);
      expect_near(values_of(mx::var(a, number, false, ddof)), expected, 1e-4);
      for (double& value : expected) value = std::sqrt(value);
      expect_near(values_of(mx::std(a, number, false, ddof)), expected, 1e-4);
    }
  }
  EXPECT_NEAR(mx::mean(a).item<float>(), total(values) / (41 * 203), 1e-5);
}

}  // namespace
