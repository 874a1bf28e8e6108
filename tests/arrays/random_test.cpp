// The generator against published vectors, its layout against a plain loop, distributions against
// their moments.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::values_of;

namespace {

struct Pair {
  uint32_t x, y;
  bool operator==(const Pair&) const = default;
};

// As in the paper: 20 rounds, a key injected after each four.
Pair threefry(Pair key, Pair counter) {
  const int rotations[8] = {13, 15, 26, 6, 17, 29, 16, 24};
  const uint32_t keys[3] = {key.x, key.y, 0x1bd11bda ^ key.x ^ key.y};
  Pair value{counter.x + keys[0], counter.y + keys[1]};
  for (uint32_t round = 0; round < 20; ++round) {
    value.x += value.y;
    value.y = std::rotl(value.y, rotations[round % 8]) ^ value.x;
    if (round % 4 == 3) {
      const uint32_t step = round / 4 + 1;
      value.x += keys[step % 3];
      value.y += keys[(step + 1) % 3] + step;
    }
  }
  return value;
}

std::vector<uint32_t> words_of(mx::array a) {
  a.eval();
  return {a.data<uint32_t>(), a.data<uint32_t>() + a.size()};
}

TEST(Threefry, gives_the_published_words) {
  EXPECT_EQ(threefry({0, 0}, {0, 0}), (Pair{0x6b200159, 0x99ba4efe}));
  EXPECT_EQ(threefry({0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (Pair{0x1cb996fc, 0xbb002be7}));
  EXPECT_EQ(threefry({0x13198a2e, 0x03707344}, {0x243f6a88, 0x85a308d3}),
            (Pair{0xc4923a9c, 0x483df7a0}));
  // One word: the counter is (0, 0).
  EXPECT_EQ(words_of(mx::random::bits({1}, mx::random::key(0)))[0], 0x6b200159u);
}

TEST(Bits, are_laid_out_in_halves) {
  const Pair key{0x12345678, 0x9abcdef0};
  const mx::array used = mx::random::key(0x123456789abcdef0u);
  for (const int size : {0, 1, 2, 3, 31, 97, 1024, 70001}) {
    const std::vector<uint32_t> found = words_of(mx::random::bits({size}, used));
    const auto half = static_cast<uint32_t>((size + 1) / 2);
    for (uint32_t i = 0; i < half; ++i) {
      const bool is_single = i + half >= static_cast<uint32_t>(size);
      const Pair expected = threefry(key, {i, is_single ? 0 : i + half});
      ASSERT_EQ(found[i], expected.x) << size;
      if (!is_single) {
        ASSERT_EQ(found[i + half], expected.y) << size;
      }
    }
  }
}

TEST(Bits, of_smaller_width_are_the_bytes_of_words) {
  const mx::array key = mx::random::key(7);
  for (const int size : {1, 2, 3, 5, 8, 1001}) {
    for (const int width : {1, 2}) {
      mx::array found = mx::random::bits({size}, width, key);
      const int words = (size * width + 3) / 4;
      const std::vector<uint32_t> expected = words_of(mx::random::bits({words}, key));
      found.eval();
      EXPECT_EQ(std::memcmp(found.data<uint8_t>(), expected.data(), found.nbytes()), 0) << size;
    }
  }
  EXPECT_THROW(mx::random::bits({2}, 3, key), std::invalid_argument);
  EXPECT_THROW(mx::random::bits({2}, 4, mx::array({1, 2})), std::invalid_argument);
}

TEST(Keys, split_into_rows_of_bits) {
  const mx::array key = mx::random::key(5);
  const std::vector<uint32_t> rows = words_of(mx::random::split(key, 3));
  EXPECT_EQ(rows.size(), 6u);
  const auto [first, second] = mx::random::split(key);
  const std::vector<uint32_t> pair = words_of(mx::random::bits({2, 2}, key));
  EXPECT_EQ(values_of(first), (std::vector<double>{double(pair[0]), double(pair[1])}));
  EXPECT_EQ(values_of(second), (std::vector<double>{double(pair[2]), double(pair[3])}));
}

TEST(Keys, of_a_seed_follow_the_same_sequence) {
  mx::random::seed(11);
  const auto [rest, used] = mx::random::split(mx::random::key(11));
  EXPECT_EQ(words_of(mx::random::bits({4})), words_of(mx::random::bits({4}, used)));
  const mx::array next = mx::random::split(rest).second;
  EXPECT_EQ(words_of(mx::random::bits({4})), words_of(mx::random::bits({4}, next)));
}

struct Moments {
  double mean = 0, variance = 0, low = INFINITY, high = -INFINITY;
};

Moments moments(const mx::array& a) {
  Moments result;
  const std::vector<double> values = values_of(a);
  const auto count = static_cast<double>(values.size());
  for (const double value : values) {
    result.mean += value / count;
    result.low = std::min(result.low, value);
    result.high = std::max(result.high, value);
  }
  for (const double value : values) {
    result.variance += (value - result.mean) * (value - result.mean) / count;
  }
  return result;
}

TEST(Uniform, scales_words_to_the_range) {
  const mx::array key = mx::random::key(3);
  const std::vector<uint32_t> words = words_of(mx::random::bits({1000}, key));
  const std::vector<double> values =
      values_of(mx::random::uniform(2.0f, 5.0f, {1000}, mx::float32, key));
  for (size_t i = 0; i < words.size(); ++i) {
    const float part = std::min(static_cast<float>(words[i]) / 0x1p32f, 1.0f - 0x1p-24f);
    ASSERT_EQ(values[i], static_cast<double>(3.0f * part + 2.0f));
  }
  for (const mx::Dtype dtype : {mx::float32, mx::float16, mx::bfloat16}) {
    const Moments found = moments(mx::random::uniform({50000}, dtype, key));
    EXPECT_NEAR(found.mean, 0.5, 0.01);
    EXPECT_NEAR(found.variance, 1.0 / 12, 0.005);
    EXPECT_GE(found.low, 0.0);
    EXPECT_LT(found.high, 1.0);
  }
  EXPECT_THROW(mx::random::uniform({2}, mx::int32, key), std::invalid_argument);
  EXPECT_THROW(mx::random::uniform(mx::array({1.0f, 2.0f}), mx::array(3.0f), {3}),
               std::invalid_argument);
}

TEST(Normal, follows_from_uniform_numbers_step_by_step) {
  const mx::array key = mx::random::key(8);
  const float low = std::nextafter(-1.0f, 0.0f);
  for (const mx::Dtype dtype : {mx::float32, mx::float16, mx::bfloat16}) {
    const mx::array values = mx::random::uniform(low, 1.0f, {3000}, mx::float32, key);
    const mx::array expected =
        mx::array(std::sqrt(2.0f), dtype) * mx::astype(mx::erfinv(values), dtype);
    EXPECT_EQ(values_of(mx::random::normal({3000}, dtype, key)), values_of(expected));
    const mx::array scale = mx::full({3000}, 1.0f, dtype);
    EXPECT_EQ(values_of(mx::random::normal({3000}, dtype, std::nullopt, scale, key)),
              values_of(expected));
  }
}

TEST(Distributions, have_their_moments) {
  const mx::array key = mx::random::key(9);
  const int n = 60000;
  const Moments normal = moments(mx::random::normal({n}, 2.0f, 3.0f, key));
  EXPECT_NEAR(normal.mean, 2.0, 0.05);
  EXPECT_NEAR(normal.variance, 9.0, 0.2);
  const Moments laplace = moments(mx::random::laplace({n}, mx::float32, 1.0f, 2.0f, key));
  EXPECT_NEAR(laplace.mean, 1.0, 0.05);
  EXPECT_NEAR(laplace.variance, 8.0, 0.3);
  const Moments gumbel = moments(mx::random::gumbel({n}, mx::float32, key));
  EXPECT_NEAR(gumbel.mean, 0.5772, 0.03);
  EXPECT_NEAR(gumbel.variance, 1.6449, 0.06);
  const Moments truncated = moments(
      mx::random::truncated_normal(mx::array(-1.0f), mx::array(1.0f), {n}, mx::float32, key));
  EXPECT_NEAR(truncated.mean, 0.0, 0.02);
  EXPECT_NEAR(truncated.variance, 0.2911, 0.01);
  EXPECT_GE(truncated.low, -1.0);
  EXPECT_LE(truncated.high, 1.0);
  const Moments bernoulli = moments(mx::random::bernoulli(0.3f, {n}, key));
  EXPECT_NEAR(bernoulli.mean, 0.3, 0.01);
  EXPECT_EQ(moments(mx::random::bernoulli(1.0f, {n}, key)).low, 1.0);
  const Moments integers = moments(mx::random::randint(-3, 4, {n}, mx::int32, key));
  EXPECT_EQ(integers.low, -3);
  EXPECT_EQ(integers.high, 3);
  EXPECT_NEAR(integers.mean, 0.0, 0.05);
}

TEST(Categorical, follows_its_weights) {
  const mx::array key = mx::random::key(2);
  const std::vector<float> weights = {0.1f, 0.2f, 0.7f};
  const mx::array logits = mx::log(mx::array(weights.begin(), {3}));
  const mx::array rows = mx::broadcast_to(logits, {20000, 3});
  for (const mx::array& found :
       {mx::random::categorical(logits, -1, 20000, key), mx::random::categorical(rows, -1, key)}) {
    EXPECT_EQ(found.size(), 20000u);
    std::vector<double> counts(3);
    for (const double value : values_of(found))
      counts.at(static_cast<size_t>(value)) += 1.0 / 20000;
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(counts[i], weights[i], 0.015) << i;
  }
  EXPECT_EQ(mx::random::categorical(logits, -1, key).shape(), mx::Shape{});
  EXPECT_EQ(mx::random::categorical(rows, 1, 4, key).shape(), (mx::Shape{20000, 4}));
  EXPECT_THROW(mx::random::categorical(logits, 1, key), std::invalid_argument);
}

TEST(Permutation, has_every_element_once) {
  std::vector<double> found = values_of(mx::random::permutation(1000, mx::random::key(4)));
  EXPECT_FALSE(std::is_sorted(found.begin(), found.end()));
  std::sort(found.begin(), found.end());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], static_cast<double>(i));
  const mx::array a = reference::make(reference::numbers(12), {4, 3});
  EXPECT_EQ(mx::random::permutation(a, 1, mx::random::key(4)).shape(), (mx::Shape{4, 3}));
}

}  // namespace
