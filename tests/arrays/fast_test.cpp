// Fused ops against their definitions.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/arrays/reference.h"

namespace mx = assay;
using reference::make, reference::numbers, reference::values_of;

namespace {

void expect_near(const std::vector<double>& found, const std::vector<double>& expected,
                 double tolerance) {
  ASSERT_EQ(found.size(), expected.size());
  for (size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], tolerance) << i;
}

double tolerance_of(mx::Dtype dtype) {
  return dtype == mx::float32 ? 1e-5 : dtype == mx::float16 ? 8e-3 : 6e-2;
}

TEST(Norms, match_their_definitions) {
  for (const int length : {1, 31, 97, 1025}) {
    for (const mx::Dtype dtype : {mx::float32, mx::float16, mx::bfloat16}) {
      const mx::array x = make(numbers(5 * static_cast<size_t>(length)), {5, length}, dtype);
      const mx::array weight = make(numbers(static_cast<size_t>(length), 1.0, 2), {length}, dtype);
      const mx::array bias = make(numbers(static_cast<size_t>(length), 1.0, 3), {length}, dtype);
      const std::vector<double> values = values_of(x), w = values_of(weight), b = values_of(bias);
      std::vector<double> rms(values.size()), layer(values.size());
      reference::for_lines({5, length}, 1, [&](const std::vector<size_t>& line) {
        double mean = 0, square = 0, variance = 0;
        for (const size_t i : line)
          mean += values[i] / length, square += values[i] * values[i] / length;
        for (const size_t i : line) variance += (values[i] - mean) * (values[i] - mean) / length;
        for (size_t k = 0; k < line.size(); ++k) {
          rms[line[k]] = values[line[k]] / std::sqrt(square + 1e-5) * w[k];
          layer[line[k]] = (values[line[k]] - mean) / std::sqrt(variance + 1e-5) * w[k] + b[k];
        }
      });
      expect_near(values_of(mx::fast::rms_norm(x, weight, 1e-5f)), rms, tolerance_of(dtype));
      expect_near(values_of(mx::fast::layer_norm(x, weight, bias, 1e-5f)), layer,
                  tolerance_of(dtype));
    }
  }
}

TEST(Norms, do_without_weights_and_refuse_wrong_ones) {
  const mx::array x = make({3, 4, 6, 8}, {2, 2});
  expect_near(values_of(mx::fast::rms_norm(x, std::nullopt, 0.0f)),
              values_of(x / mx::sqrt(mx::mean(x * x, 1, true))), 1e-6);
  expect_near(values_of(mx::fast::layer_norm(x, std::nullopt, std::nullopt, 0.0f)), {-1, 1, -1, 1},
              1e-6);
  EXPECT_EQ(mx::fast::rms_norm(mx::astype(x, mx::float16), make({1, 1}, {2}), 0.0f).dtype(),
            mx::float32);
  EXPECT_THROW(mx::fast::rms_norm(x, make({1, 1, 1}, {3}), 0.0f), std::invalid_argument);
  EXPECT_THROW(mx::fast::rms_norm(mx::array(1.0f), std::nullopt, 0.0f), std::invalid_argument);
}

struct Rotation {
  int dims;
  bool traditional;
  double base, scale;
  std::vector<int> offsets;
};

std::vector<double> rotated(const std::vector<double>& x, const mx::Shape& shape,
                            const Rotation& rotation) {
  std::vector<double> result = x;
  const int width = shape[3], length = shape[2], half = rotation.dims / 2;
  for (int matrix = 0; matrix < shape[0] * shape[1]; ++matrix) {
    const size_t batch = static_cast<size_t>(matrix / shape[1]);
    const int offset = rotation.offsets.size() == 1 ? rotation.offsets[0] : rotation.offsets[batch];
    for (int t = 0; t < length; ++t) {
      for (int i = 0; i < half; ++i) {
        const double angle =
            (t + offset) * rotation.scale * std::pow(rotation.base, -static_cast<double>(i) / half);
        const int row = (matrix * length + t) * width;
        const size_t a = static_cast<size_t>(row + (rotation.traditional ? 2 * i : i));
        const size_t b = rotation.traditional ? a + 1 : a + static_cast<size_t>(half);
        result[a] = x[a] * std::cos(angle) - x[b] * std::sin(angle);
        result[b] = x[a] * std::sin(angle) + x[b] * std::cos(angle);
      }
    }
  }
  return result;
}

TEST(Rope, turns_pairs_by_their_position) {
  const mx::Shape shape{2, 11, 5, 10};
  const mx::array x = make(numbers(1100), shape);
  for (const bool traditional : {false, true}) {
    for (const int dims : {10, 6}) {
      const Rotation rotation{dims, traditional, 10000.0, 0.5, {3}};
      expect_near(values_of(mx::fast::rope(x, dims, traditional, 10000.0f, 0.5f, 3)),
                  rotated(values_of(x), shape, rotation), 1e-5);
    }
  }
  const mx::array offsets({7, 2}, mx::int32);
  expect_near(values_of(mx::fast::rope(x, 10, false, 100.0f, 1.0f, offsets)),
              rotated(values_of(x), shape, {10, false, 100.0, 1.0, {7, 2}}), 1e-5);
}

TEST(Rope, takes_frequencies_and_other_ranks) {
  const mx::array x = make(numbers(3 * 4 * 8), {3, 4, 8});
  std::vector<float> frequencies;
  for (int i = 0; i < 4; ++i) frequencies.push_back(std::pow(50.0f, static_cast<float>(i) / 4));
  const mx::array freqs(frequencies.begin(), {4});
  expect_near(values_of(mx::fast::rope(x, 8, false, std::nullopt, 1.0f, 1, freqs)),
              rotated(values_of(x), {3, 1, 4, 8}, {8, false, 50.0, 1.0, {1}}), 1e-5);
  EXPECT_THROW(mx::fast::rope(x, 8, false, std::nullopt, 1.0f, 0), std::invalid_argument);
  EXPECT_THROW(mx::fast::rope(x, 8, false, 1.0f, 1.0f, 0, freqs), std::invalid_argument);
  EXPECT_THROW(mx::fast::rope(x, 7, false, 1.0f, 1.0f, 0), std::invalid_argument);
  EXPECT_THROW(mx::fast::rope(x, 10, false, 1.0f, 1.0f, 0), std::invalid_argument);
}

struct Attention {
  int batch = 2, heads = 4, shared = 2, queries = 3, keys = 5, width = 6;
  std::function<double(int head, int query, int key)> mask = [](int, int, int) { return 0.0; };
  std::vector<double> sinks;
};

std::vector<double> attend(const Attention& with, const std::vector<double>& q,
                           const std::vector<double>& k, const std::vector<double>& v,
                           double scale) {
  std::vector<double> result;
  for (int b = 0; b < with.batch; ++b) {
    for (int h = 0; h < with.heads; ++h) {
      const int group = b * with.shared + h / (with.heads / with.shared);
      for (int i = 0; i < with.queries; ++i) {
        std::vector<double> weights(static_cast<size_t>(with.keys));
        double sum = with.sinks.empty() ? 0.0 : std::exp(with.sinks[static_cast<size_t>(h)]);
        for (int j = 0; j < with.keys; ++j) {
          double score = 0;
          for (int c = 0; c < with.width; ++c) {
            score +=
                q[static_cast<size_t>(((b * with.heads + h) * with.queries + i) * with.width + c)] *
                k[static_cast<size_t>((group * with.keys + j) * with.width + c)];
          }
          weights[static_cast<size_t>(j)] = std::exp(score * scale + with.mask(h, i, j));
          sum += weights[static_cast<size_t>(j)];
        }
        for (int c = 0; c < with.width; ++c) {
          double value = 0;
          for (int j = 0; j < with.keys; ++j) {
            value += weights[static_cast<size_t>(j)] / sum *
                     v[static_cast<size_t>((group * with.keys + j) * with.width + c)];
          }
          result.push_back(value);
        }
      }
    }
  }
  return result;
}

class AttentionHeads : public ::testing::TestWithParam<int> {};

TEST_P(AttentionHeads, attend_with_every_mask) {
  Attention with;
  with.shared = GetParam();
  const mx::array q = make(numbers(2 * 4 * 3 * 6, 1.0, 1), {2, 4, 3, 6});
  const mx::array k =
      make(numbers(static_cast<size_t>(2 * with.shared * 5 * 6), 1.0, 2), {2, with.shared, 5, 6});
  const mx::array v =
      make(numbers(static_cast<size_t>(2 * with.shared * 5 * 6), 1.0, 3), {2, with.shared, 5, 6});
  const auto expect = [&](const mx::array& found) {
    expect_near(values_of(found), attend(with, values_of(q), values_of(k), values_of(v), 0.7),
                1e-5);
  };
  using mx::fast::scaled_dot_product_attention;
  expect(scaled_dot_product_attention(q, k, v, 0.7f));
  with.mask = [](int, int i, int j) { return j <= i + 2 ? 0.0 : -INFINITY; };
  expect(scaled_dot_product_attention(q, k, v, 0.7f, "causal"));
  const mx::array added = make(numbers(15, 1.0, 4), {3, 5});
  const std::vector<double> scores = values_of(added);
  with.mask = [&](int, int i, int j) { return scores[static_cast<size_t>(i * 5 + j)]; };
  expect(scaled_dot_product_attention(q, k, v, 0.7f, "", added));
  std::vector<double> seen(4 * 3 * 5);
  for (size_t i = 0; i < seen.size(); ++i) seen[i] = i % 3 != 0 || i % 5 == 0 ? 1 : 0;
  with.mask = [&](int h, int i, int j) {
    return seen[static_cast<size_t>((h * 3 + i) * 5 + j)] != 0 ? 0.0 : -INFINITY;
  };
  expect(scaled_dot_product_attention(q, k, v, 0.7f, "", make(seen, {4, 3, 5}, mx::bool_)));
  with.mask = [](int, int, int) { return 0.0; };
  with.sinks = {0.5, -1.0, 2.0, 0.0};
  expect(scaled_dot_product_attention(q, k, v, 0.7f, "", std::nullopt, make(with.sinks, {4})));
}

INSTANTIATE_TEST_SUITE_P(Attention, AttentionHeads, ::testing::Values(1, 2, 4));

TEST(Attention, refuses_shapes_that_do_not_fit) {
  const mx::array q = mx::zeros({1, 4, 3, 6}), k = mx::zeros({1, 3, 5, 6});
  EXPECT_THROW(mx::fast::scaled_dot_product_attention(q, k, k, 1.0f), std::invalid_argument);
  EXPECT_THROW(mx::fast::scaled_dot_product_attention(q, q, q, 1.0f, "wrong"),
               std::invalid_argument);
  EXPECT_THROW(mx::fast::scaled_dot_product_attention(q, mx::zeros({4, 3, 6}), q, 1.0f),
               std::invalid_argument);
}

}  // namespace
