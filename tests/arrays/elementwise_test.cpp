// Element-wise ops against plain loops.
#include <assay/assay.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mx = assay;

namespace {

std::vector<float> ramp(size_t count) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = 0.25f * static_cast<float>(i % 97) - 3.0f;
  return values;
}

mx::array make(const std::vector<float>& values) {
  return mx::array(values.begin(), {static_cast<int>(values.size())});
}

class Sizes : public ::testing::TestWithParam<size_t> {};

TEST_P(Sizes, chains_of_ops_give_what_a_loop_gives) {
  const std::vector<float> values = ramp(GetParam());
  mx::array result = mx::exp(mx::sin(make(values)) * mx::array(2.0f));
  result.eval();
  ASSERT_EQ(result.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(result.data<float>()[i], std::exp(std::sin(values[i]) * 2.0f), 1e-5f) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Elementwise, Sizes, ::testing::Values(0, 1, 2, 31, 97, 1024, 1025, 70001));

TEST(Elementwise, broadcasts_without_copies) {
  const mx::array column(ramp(7).begin(), {7, 1});
  const mx::array row(ramp(5).begin(), {5});
  mx::array result = column * row;
  EXPECT_EQ(result.shape(), (mx::Shape{7, 5}));
  result.eval();
  for (int i = 0; i < 35; ++i) {
    EXPECT_EQ(result.data<float>()[i], ramp(7)[i / 5] * ramp(5)[i % 5]) << i;
  }
}

TEST(Elementwise, promotes_as_mlx_does) {
  EXPECT_EQ((mx::array(1) + mx::array(2.0f)).dtype(), mx::float32);
  EXPECT_EQ((mx::array(true) + mx::array(true)).dtype(), mx::bool_);
  EXPECT_EQ(mx::divide(mx::array(1), mx::array(2)).dtype(), mx::float32);
  EXPECT_EQ(mx::add(mx::array(1, mx::uint32), mx::array(1, mx::int8)).dtype(), mx::int64);
  EXPECT_EQ(mx::add(mx::array(1, mx::float16), mx::array(1, mx::bfloat16)).dtype(), mx::float32);
}

TEST(Elementwise, refuses_shapes_that_do_not_broadcast) {
  const mx::array three({1.0f, 2.0f, 3.0f}), two({1.0f, 2.0f});
  EXPECT_THROW(mx::add(three, two), std::invalid_argument);
}

TEST(Evaluation, frees_a_graph_deeper_than_the_stack) {
  mx::array value(0.0f);
  for (int i = 0; i < 100000; ++i) value = value + mx::array(1.0f);
  EXPECT_EQ(value.item<float>(), 100000.0f);
}

}  // namespace
