// Shape, slicing, creation and joining against plain index arithmetic.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include <sstream>

#include <cmath>
#include <cstdint>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::values_of;

namespace {

mx::array counted(mx::Shape shape) {
  int size = 1;
  for (const int length : shape) size *= length;
  return mx::reshape(mx::arange(0, size), std::move(shape));
}

TEST(Shape, reshapes_views_without_changing_the_order) {
  const mx::array a = counted({3, 4, 5});
  const mx::array t = mx::transpose(a, {2, 0, 1});
  EXPECT_EQ(t.shape(), (mx::Shape{5, 3, 4}));
  const std::vector<double> flat = values_of(mx::reshape(t, {-1}));
  for (int i = 0; i < 60; ++i) {
    const int k = i / 12, r = i / 4 % 3, c = i % 4;
    EXPECT_EQ(flat[i], r * 20 + c * 5 + k) << i;
  }
  EXPECT_EQ(mx::reshape(a, {6, -1}).shape(), (mx::Shape{6, 10}));
  EXPECT_THROW(mx::reshape(a, {7, -1}), std::invalid_argument);
  EXPECT_EQ(mx::flatten(a, 1, 2).shape(), (mx::Shape{3, 20}));
  EXPECT_EQ(mx::squeeze(mx::expand_dims(a, {0, 2})).shape(), a.shape());
}

TEST(Shape, slices_with_steps_of_both_signs) {
  const mx::array a = counted({7, 5});
  const std::vector<double> part = values_of(mx::slice(a, {6, 1}, {-8, 5}, {-2, 3}));
  EXPECT_EQ(part, (std::vector<double>{31, 34, 21, 24, 11, 14, 1, 4}));
  EXPECT_EQ(values_of(mx::flip(mx::arange(4))), (std::vector<double>{3, 2, 1, 0}));
  EXPECT_EQ(mx::slice(a, {3, 0}, {3, 5}).size(), 0u);
}

TEST(Shape, updates_slices_of_a_copy) {
  const mx::array a = mx::zeros({4, 3}, mx::int32);
  const mx::array b = mx::slice_update(a, mx::array({7, 8}), {1, 0}, {4, 2}, {2, 1});
  EXPECT_EQ(values_of(b), (std::vector<double>{0, 0, 0, 7, 8, 0, 0, 0, 0, 7, 8, 0}));
  EXPECT_EQ(values_of(a), std::vector<double>(12, 0));
}

TEST(Shape, combines_slices_with_updates) {
  const mx::array a = mx::astype(counted({4, 3}), mx::float32);
  const mx::array twos = mx::array({2.0f, 3.0f});
  EXPECT_EQ(values_of(mx::slice_update_add(a, twos, {1, 0}, {4, 2}, {2, 1})),
            (std::vector<double>{0, 1, 2, 5, 7, 5, 6, 7, 8, 11, 13, 11}));
  EXPECT_EQ(values_of(mx::slice_update_prod(a, mx::array(2.0f), {3, 1}, {4, 3})),
            (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 22}));
  EXPECT_EQ(values_of(mx::slice_update_max(a, mx::array(4.5f), {0, 1}, {4, 2})),
            (std::vector<double>{0, 4.5, 2, 3, 4.5, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(values_of(mx::slice_update_min(a, mx::array(4.5f), {-1, 0}, {-5, 1}, {-2, 1})),
            (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 4.5, 10, 11}));
  EXPECT_EQ(values_of(mx::slice_update_add(a, twos, {2, 0}, {2, 2})), values_of(a));
  EXPECT_EQ(mx::slice_update_add(mx::arange(3), mx::array(1.5f), {0}, {1}).dtype(), mx::int32);
  EXPECT_THROW(mx::slice_update_add(a, twos, {0, 0}, {4, 3}), std::invalid_argument);
}

TEST(Shape, joins_and_splits) {
  const mx::array a = counted({2, 3});
  const mx::array joined = mx::concatenate({a, mx::transpose(mx::reshape(a, {3, 2}))}, 1);
  EXPECT_EQ(values_of(joined), (std::vector<double>{0, 1, 2, 0, 2, 4, 3, 4, 5, 1, 3, 5}));
  const std::vector<mx::array> parts = mx::split(joined, mx::Shape{1, 4}, 1);
  EXPECT_EQ(values_of(parts[1]), (std::vector<double>{1, 2, 0, 4, 5, 1}));
  EXPECT_EQ(mx::stack({a, a}, -1).shape(), (mx::Shape{2, 3, 2}));
  EXPECT_EQ(values_of(mx::tile(mx::arange(2), {2, 2})),
            (std::vector<double>{0, 1, 0, 1, 0, 1, 0, 1}));
  EXPECT_EQ(values_of(mx::repeat(mx::arange(3), 2)), (std::vector<double>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(values_of(mx::roll(mx::arange(5), 2)), (std::vector<double>{3, 4, 0, 1, 2}));
  EXPECT_EQ(values_of(mx::pad(mx::arange(2), 1, mx::array(9))), (std::vector<double>{9, 0, 1, 9}));
  EXPECT_EQ(values_of(mx::pad(mx::arange(2), 2, mx::array(0), "edge")),
            (std::vector<double>{0, 0, 0, 1, 1, 1}));
}

TEST(Shape, makes_triangles_and_diagonals) {
  EXPECT_EQ(values_of(mx::eye(2, 3, 1)), (std::vector<double>{0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(values_of(mx::tril(counted({3, 3}), -1)),
            (std::vector<double>{0, 0, 0, 3, 0, 0, 6, 7, 0}));
  EXPECT_EQ(values_of(mx::triu(counted({3, 3}))), (std::vector<double>{0, 1, 2, 0, 4, 5, 0, 0, 8}));
  EXPECT_EQ(values_of(mx::diagonal(counted({3, 4}), 1)), (std::vector<double>{1, 6, 11}));
  EXPECT_EQ(values_of(mx::diag(mx::array({1, 2}), 1)),
            (std::vector<double>{0, 1, 0, 0, 0, 2, 0, 0, 0}));
}

TEST(Indexing, takes_and_puts_along_axes) {
  const mx::array a = counted({3, 4});
  EXPECT_EQ(values_of(mx::take(a, mx::array({2, -3}), 0)),
            (std::vector<double>{8, 9, 10, 11, 0, 1, 2, 3}));
  EXPECT_EQ(values_of(mx::take(a, mx::array({3, 0}), 1)), (std::vector<double>{3, 0, 7, 4, 11, 8}));
  const mx::array order({1, 0, 3, 2, 0, 0}, {3, 2});
  EXPECT_EQ(values_of(mx::take_along_axis(a, order, 1)), (std::vector<double>{1, 0, 7, 6, 8, 8}));
  EXPECT_EQ(values_of(mx::put_along_axis(a, mx::array({0, 1, 2}, {3, 1}), mx::array(-1), 1)),
            (std::vector<double>{-1, 1, 2, 3, 4, -1, 6, 7, 8, 9, -1, 11}));
}

TEST(Indexing, adds_updates_that_meet) {
  const int places[] = {1, 1, 3, 1};
  for (const mx::Dtype dtype : {mx::float32, mx::int32, mx::float16, mx::int64, mx::uint8}) {
    const mx::array sums =
        mx::scatter_add(mx::zeros({5}, dtype), mx::array(places, {4}),
                        mx::astype(mx::reshape(mx::arange(1, 5), {4, 1}), dtype), 0);
    EXPECT_EQ(values_of(mx::astype(sums, mx::int32)), (std::vector<double>{0, 7, 0, 3, 0}));
  }
}

TEST(Linear, multiplies_matrices_however_they_lie) {
  const mx::array a = mx::astype(counted({2, 5, 3}), mx::float32);
  const mx::array b = mx::astype(counted({4, 3}), mx::float32);
  const std::vector<double> product = values_of(mx::matmul(a, mx::transpose(b)));
  for (int i = 0; i < 40; ++i) {
    float expected = 0;
    for (int k = 0; k < 3; ++k) {
      expected += static_cast<float>((i / 4 * 3 + k) * (i % 4 * 3 + k));
    }
    EXPECT_EQ(product[i], expected) << i;
  }
  const mx::array ones = mx::ones({3}, mx::float16);
  EXPECT_EQ(values_of(mx::astype(mx::matmul(ones, ones), mx::float32)), std::vector<double>{3});
  EXPECT_EQ(values_of(mx::einsum("bij,kj->bik", {a, b})), product);
  EXPECT_THROW(mx::matmul(a, b), std::invalid_argument);
}

TEST(Linear, multiplies_matrices_of_reversed_batches) {
  for (const mx::Dtype dtype : {mx::float32, mx::complex64, mx::float16}) {
    const mx::array a = mx::astype(counted({3, 2, 4, 4}), dtype);
    const mx::array reversed = mx::slice(a, {2, 1, 0, 0}, {-4, -3, 4, 4}, {-1, -1, 1, 1});
    const mx::array copied = mx::contiguous(reversed);
    EXPECT_EQ(values_of(mx::matmul(a, reversed)), values_of(mx::matmul(a, copied)));
    EXPECT_EQ(values_of(mx::matmul(reversed, a)), values_of(mx::matmul(copied, a)));
    const mx::array turned = mx::swapaxes(reversed, 2, 3);
    EXPECT_EQ(values_of(mx::matmul(turned, reversed)),
              values_of(mx::matmul(mx::swapaxes(copied, 2, 3), copied)));
  }
}

TEST(Printing, writes_shapes_and_numbers_as_mlx_does) {
  mx::array a = mx::zeros({2, 3});
  a.eval();
  std::ostringstream text;
  text << a.shape() << ' ' << a.strides() << ' ' << mx::Shape{} << ' ' << mx::complex64_t(1, 2)
       << ' ' << mx::array(std::complex<float>(1, -2)).item<mx::complex64_t>();
  EXPECT_EQ(text.str(), "(2,3) (3,1) () 1+2j 1-2j");
}

TEST(Conversion, of_numbers_that_do_not_fit_is_defined) {
  const std::vector<float> data = {-1451.0f, 300.7f, 3e9f, -3e9f, 1e30f, NAN, -0.9f};
  const int count = static_cast<int>(data.size());
  auto bytes = mx::array(data.begin(), {count}, mx::uint8);
  auto ints = mx::array(data.begin(), {count}, mx::int32);
  auto longs = mx::array(data.begin(), {count}, mx::int64);
  constexpr int32_t kLowest = INT32_MIN;
  EXPECT_EQ(std::vector<uint8_t>(bytes.data<uint8_t>(), bytes.data<uint8_t>() + count),
            (std::vector<uint8_t>{85, 44, 0, 0, 0, 0, 0}));
  EXPECT_EQ(std::vector<int32_t>(ints.data<int32_t>(), ints.data<int32_t>() + count),
            (std::vector<int32_t>{-1451, 300, kLowest, kLowest, kLowest, kLowest, 0}));
  EXPECT_EQ(std::vector<int64_t>(longs.data<int64_t>(), longs.data<int64_t>() + count),
            (std::vector<int64_t>{-1451, 300, 3000000000, -3000000000, INT64_MIN, INT64_MIN, 0}));
  EXPECT_EQ(mx::array(9223372036854775808.0).item<uint64_t>(), uint64_t{1} << 63);
  EXPECT_EQ(mx::array(123456789.0, mx::float32).item<int32_t>(), 123456792);
}

}  // namespace
