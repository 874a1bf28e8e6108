// How evaluated arrays lie in memory, and what ops refuse whose arguments say how they would.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::values_of;

namespace {

mx::array evaluated(mx::array a) {
  a.eval();
  return a;
}

TEST(Layout, is_contiguous_where_every_element_between_the_ends_is_there_once) {
  const mx::array x = mx::arange(0, 24);
  const auto is_contiguous = [&](mx::Shape shape, mx::Strides strides, size_t offset = 0) {
    return evaluated(mx::as_strided(x, std::move(shape), std::move(strides), offset))
        .flags()
        .contiguous;
  };
  EXPECT_TRUE(is_contiguous({4, 6}, {6, 1}));
  EXPECT_TRUE(is_contiguous({6, 4}, {1, 6}));
  EXPECT_TRUE(is_contiguous({2, 3, 4}, {3, 1, 6}));
  EXPECT_TRUE(is_contiguous({5, 3}, {0, 1})) << "repeated, but without gaps";
  EXPECT_FALSE(is_contiguous({3, 3}, {1, 1})) << "elements stand for several";
  EXPECT_FALSE(is_contiguous({3, 3}, {0, 3})) << "gaps";
  EXPECT_FALSE(is_contiguous({10}, {-1}, 9));
  const mx::array empty = evaluated(mx::zeros({0, 3}));
  EXPECT_TRUE(empty.flags().contiguous && empty.flags().row_contiguous);
}

TEST(Layout, columns_stay_columns_where_they_are_allowed) {
  const mx::array a = mx::transpose(mx::reshape(mx::arange(0, 6), {2, 3}));
  const mx::array columns = evaluated(mx::contiguous(a, true)), rows = evaluated(mx::contiguous(a));
  EXPECT_EQ(columns.strides(), (mx::Strides{1, 3}));
  EXPECT_EQ(rows.strides(), (mx::Strides{2, 1}));
  EXPECT_EQ(values_of(columns), values_of(rows));
  const mx::array wide =
      evaluated(mx::contiguous(mx::broadcast_to(mx::arange(0, 3), {2, 3}), true));
  EXPECT_EQ(wide.strides(), (mx::Strides{3, 1}));
}

TEST(Layout, elements_along_an_empty_axis) {
  const mx::array none = mx::zeros({1, 0}), first = mx::zeros({1, 1}, mx::int32);
  EXPECT_EQ(evaluated(mx::take_along_axis(none, first, 0)).shape(), (mx::Shape{1, 0}));
  EXPECT_EQ(evaluated(mx::take_along_axis(none, mx::zeros({1, 0}, mx::int32), 1)).shape(),
            (mx::Shape{1, 0}));
  EXPECT_EQ(evaluated(mx::put_along_axis(none, first, mx::array(1.0f), 0)).shape(),
            (mx::Shape{1, 0}));
  EXPECT_THROW(mx::take_along_axis(none, mx::array({1}), 0), std::invalid_argument);
}

TEST(Layout, axes_and_shifts_out_of_range) {
  const mx::array a = mx::zeros({4, 2}), index = mx::array({0});
  EXPECT_THROW(mx::diagonal(a, 1, 6, 0), std::out_of_range);
  EXPECT_THROW(mx::diagonal(a, 1, 0, -3), std::out_of_range);
  EXPECT_EQ(mx::diagonal(a, 0, -1, 0).shape(), (mx::Shape{2}));
  EXPECT_THROW(mx::gather(a, index, -1, {4, 1}), std::invalid_argument);
  EXPECT_THROW(mx::scatter(a, index, mx::zeros({1, 4, 1}), -1), std::invalid_argument);
  EXPECT_THROW(mx::roll(a, mx::Shape{INT32_MAX, INT32_MAX}), std::overflow_error);
  EXPECT_THROW(mx::roll(a, mx::Shape{INT32_MAX, INT32_MAX}, 0), std::overflow_error);
  EXPECT_EQ(values_of(mx::roll(mx::arange(0, 4), mx::Shape{INT32_MAX, INT32_MIN}, 0)),
            (std::vector<double>{1, 2, 3, 0}));
}

TEST(Layout, random_numbers_with_ends_of_both_kinds) {
  const mx::array low = mx::zeros({3, 1});
  EXPECT_EQ(mx::random::uniform(low, 1.0, {3, 3}).shape(), (mx::Shape{3, 3}));
  EXPECT_THROW(mx::random::uniform(mx::zeros({3, 3}), 1.0, {1, 3}), std::invalid_argument);
  const mx::array key = mx::random::key(5);
  const auto expected = values_of(mx::random::laplace({7}, mx::float32, 0.0f, 1.0f, key));
  EXPECT_EQ(values_of(mx::random::laplace({7}, key)), expected);
  EXPECT_EQ(values_of(mx::random::laplace({7}, mx::float32, key)), expected);
  EXPECT_EQ(values_of(mx::random::laplace({7}, 0.0f, 1.0f, key)), expected);
}

}  // namespace
