// Orders against the standard library's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::make, reference::numbers, reference::values_of;

namespace {

class SortLengths : public ::testing::TestWithParam<int> {};

TEST_P(SortLengths, sort_values_and_positions) {
  const int length = GetParam();
  std::vector<double> values = numbers(static_cast<size_t>(length), 3000.0);
  for (double& value : values) value = std::floor(value);  // so that many are equal
  for (const mx::Dtype dtype :
       {mx::float32, mx::float16, mx::int16, mx::int64, mx::uint8, mx::complex64}) {
    const mx::array a = make(values, {length}, dtype);
    std::vector<double> expected = values_of(a);
    std::vector<size_t> order(expected.size());
    std::iota(order.begin(), order.end(), 0);
    // Not stable_sort: clang refuses libstdc++'s for a deprecated call inside it.
    std::sort(order.begin(), order.end(), [&](size_t x, size_t y) {
      return expected[x] != expected[y] ? expected[x] < expected[y] : x < y;
    });
    EXPECT_EQ(values_of(mx::argsort(a)), std::vector<double>(order.begin(), order.end()));
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(values_of(mx::sort(a)), expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Sort, SortLengths,
                         ::testing::Values(0, 1, 2, 31, 32, 33, 97, 1025, 2048, 2049, 4097, 70001));

TEST(Sort, takes_any_axis_and_stride) {
  const mx::Shape shape{5, 70, 9};
  const mx::array a = make(numbers(5 * 70 * 9), shape);
  const mx::array turned = mx::transpose(a);
  for (const mx::array& each : {a, turned}) {
    const std::vector<double> values = values_of(each);
    for (size_t axis = 0; axis < 3; ++axis) {
      std::vector<double> expected = values;
      reference::for_lines(each.shape(), axis, [&](const std::vector<size_t>& line) {
        std::vector<double> elements;
        for (const size_t index : line) elements.push_back(values[index]);
        std::sort(elements.begin(), elements.end());
        for (size_t i = 0; i < line.size(); ++i) expected[line[i]] = elements[i];
      });
      const int number = static_cast<int>(axis);
      EXPECT_EQ(values_of(mx::sort(each, number)), expected);
      EXPECT_EQ(values_of(mx::take_along_axis(each, mx::argsort(each, number), number)), expected);
    }
  }
}

TEST(Sort, puts_nan_last_and_knows_infinities) {
  const double infinity = INFINITY;
  const mx::array a = make({NAN, 1, -infinity, infinity, -NAN, 0, -2}, {7});
  const std::vector<double> sorted = values_of(mx::sort(a));
  EXPECT_EQ(std::vector<double>(sorted.begin(), sorted.begin() + 5),
            (std::vector<double>{-infinity, -2, 0, 1, infinity}));
  EXPECT_TRUE(std::isnan(sorted[5]) && std::isnan(sorted[6]));
  EXPECT_EQ(values_of(mx::argsort(a)), (std::vector<double>{2, 6, 5, 1, 3, 0, 4}));
}

TEST(Sort, keeps_the_other_part_of_complex_numbers_with_nan) {
  const std::vector<mx::complex64_t> values = {{3, 1}, {NAN, 2}, {2, 1}, {2, -1}};
  mx::array sorted = mx::sort(mx::array(values.begin(), {4}));
  sorted.eval();
  const mx::complex64_t* found = sorted.data<mx::complex64_t>();
  EXPECT_EQ(found[0], (mx::complex64_t{2, -1}));
  EXPECT_EQ(found[1], (mx::complex64_t{2, 1}));
  EXPECT_EQ(found[2], (mx::complex64_t{3, 1}));
  EXPECT_TRUE(std::isnan(found[3].real()));
  EXPECT_EQ(found[3].imag(), 2);
}

TEST(Sort, orders_64_bit_integers_by_all_bits) {
  const std::vector<int64_t> values = {int64_t{1} << 40, -(int64_t{1} << 40),   5, -5, INT64_MAX,
                                       INT64_MIN,        (int64_t{1} << 40) + 1};
  const mx::array a(values.begin(), {7});
  EXPECT_EQ(values_of(mx::argsort(a)), (std::vector<double>{5, 1, 3, 2, 0, 6, 4}));
}

TEST(Partition, has_the_smaller_ones_first) {
  const mx::array a = make({5, 3, 9, 1, 7, 2}, {6});
  const std::vector<double> found = values_of(mx::partition(a, 2));
  EXPECT_EQ(found[2], 3);
  EXPECT_LT(std::max(found[0], found[1]), 3);
  EXPECT_EQ(values_of(mx::argpartition(a, -4))[2], 1);
  std::vector<double> top = values_of(mx::topk(a, 2));
  std::sort(top.begin(), top.end());
  EXPECT_EQ(top, (std::vector<double>{7, 9}));
  EXPECT_EQ(mx::topk(make(numbers(12), {3, 4}), 3, 0).shape(), (mx::Shape{3, 4}));
  EXPECT_THROW(mx::partition(a, 6), std::invalid_argument);
  EXPECT_THROW(mx::topk(a, 7), std::invalid_argument);
}

TEST(Median, is_the_middle_or_the_mean_of_two) {
  EXPECT_EQ(mx::median(make({5, 1, 3}, {3})).item<float>(), 3);
  EXPECT_EQ(mx::median(make({5, 1, 3, 2}, {4}, mx::int32)).item<float>(), 2.5f);
  EXPECT_TRUE(std::isnan(mx::median(make({5, NAN, 3}, {3})).item<float>()));
  const mx::array a = make({1, 9, 2, 8, 3, 7}, {3, 2});
  EXPECT_EQ(values_of(mx::median(a, 0)), (std::vector<double>{2, 8}));
  EXPECT_EQ(mx::median(a, std::vector<int>{0, 1}, true).shape(), (mx::Shape{1, 1}));
  EXPECT_EQ(mx::median(a).item<float>(), 5);
}

TEST(SearchSorted, finds_both_sides) {
  const mx::array sorted = make({1, 2, 2, 2, 5}, {5});
  const mx::array values = make({0, 1, 2, 3, 5, 6, NAN}, {7});
  EXPECT_EQ(values_of(mx::searchsorted(sorted, values)),
            (std::vector<double>{0, 0, 1, 4, 4, 5, 5}));
  EXPECT_EQ(values_of(mx::searchsorted(sorted, values, true)),
            (std::vector<double>{0, 1, 4, 4, 5, 5, 5}));
  EXPECT_THROW(mx::searchsorted(make({1, 2}, {1, 2}), values), std::invalid_argument);
}

}  // namespace
