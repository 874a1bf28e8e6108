#include "replay/compare_elements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::replay {
namespace {

template <typename T>
std::span<const std::byte> bytes(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

TEST(CompareElements, finds_nothing_in_equal_contents) {
  const std::vector<float> values = {1, -0.0F, std::nanf("")};
  const Comparison same = compare_elements(ElementType::kFloat32, bytes(values), bytes(values), 0);
  EXPECT_EQ(same.elements, 3U);
  EXPECT_EQ(same.differing, 0U);
}

TEST(CompareElements, counts_steps_across_zero_and_at_the_ends) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const auto steps = [](float a, float b) {
    const std::vector<float> left = {a}, right = {b};
    return compare_elements(ElementType::kFloat32, bytes(left), bytes(right), 0).max_ulps;
  };
  EXPECT_EQ(steps(tiny, -tiny), 2U);
  EXPECT_EQ(steps(0.0F, -0.0F), 0U);
  EXPECT_EQ(steps(1.0F, std::nextafter(1.0F, 2.0F)), 1U);
  EXPECT_EQ(steps(std::numeric_limits<float>::max(), std::numeric_limits<float>::infinity()), 1U);
  EXPECT_EQ(steps(1.0F, std::nanf("")), std::nullopt);
}

TEST(CompareElements, is_relative_to_the_numbers_and_their_mean) {
  const std::vector<float> captured = {1000, 1000, 1000, 0};
  const std::vector<float> close = {1000.005F, 1000, 1000, 0.005F};
  const std::vector<float> far = {1000.1F, 1000, 1000, 0.1F};
  EXPECT_EQ(
      compare_elements(ElementType::kFloat32, bytes(captured), bytes(close), 1e-5).beyond_tolerance,
      0U);
  EXPECT_EQ(
      compare_elements(ElementType::kFloat32, bytes(captured), bytes(far), 1e-5).beyond_tolerance,
      2U);
}

TEST(CompareElements, has_no_tolerance_for_whole_numbers_and_new_nans) {
  const std::vector<int32_t> captured = {1'000'000, 2}, replayed = {1'000'001, 2};
  const Comparison numbers =
      compare_elements(ElementType::kInt32, bytes(captured), bytes(replayed), 0.1);
  EXPECT_EQ(numbers.beyond_tolerance, 1U);
  EXPECT_EQ(numbers.captured, "1000000");
  EXPECT_EQ(numbers.replayed, "1000001");
  const std::vector<float> one = {1}, nan = {std::nanf("")};
  const Comparison nans = compare_elements(ElementType::kFloat32, bytes(one), bytes(nan), 0.1);
  EXPECT_EQ(nans.beyond_tolerance, 1U);
  EXPECT_TRUE(nans.has_new_nan);
  EXPECT_EQ(nans.replayed, "NaN (bits 0x7fc00000)");
}

TEST(CompareElements, lets_short_floats_be_one_step_apart) {
  const std::vector<uint16_t> captured = {0x3c00, 0x3c00}, replayed = {0x3c01, 0x3c02};
  for (const ElementType type : {ElementType::kFloat16, ElementType::kBfloat16}) {
    const Comparison found = compare_elements(type, bytes(captured), bytes(replayed), 1e-5);
    EXPECT_EQ(found.beyond_tolerance, 1U);
    EXPECT_EQ(found.max_ulps, 2U);
  }
}

TEST(CompareElements, takes_complex_numbers_as_one_element) {
  const std::vector<float> captured = {1, 2, 3, 4}, replayed = {1, 2, 3, 5};
  const Comparison found =
      compare_elements(ElementType::kComplex64, bytes(captured), bytes(replayed), 0);
  EXPECT_EQ(found.elements, 2U);
  EXPECT_EQ(found.first, 1U);
  EXPECT_EQ(found.captured, "(3, 4)");
  EXPECT_EQ(found.replayed, "(3, 5)");
}

TEST(ElementType, is_found_in_parameters) {
  EXPECT_EQ(find_msl_type("const device float4*"), ElementType::kFloat32);
  EXPECT_EQ(find_msl_type("device atomic_float*"), ElementType::kFloat32);
  EXPECT_EQ(find_msl_type("device atomic<uint>*"), ElementType::kUint32);
  EXPECT_EQ(find_msl_type("device packed_half3*"), ElementType::kFloat16);
  EXPECT_EQ(find_msl_type("device uint8_t*"), ElementType::kUint8);
  EXPECT_EQ(find_msl_type("device bfloat*"), ElementType::kBfloat16);
  EXPECT_EQ(find_msl_type("device Particle*"), std::nullopt);
}

TEST(FindCoordinates, inverts_strides) {
  const std::vector<std::vector<int64_t>> strides = {
      {15, 5, 1}, {1, 4, 12}, {-15, 5, 1}, {40, -8, 1}, {1, -60, 4}};
  for (const std::vector<int64_t>& each : strides) {
    const ArrayRow array{"", "float32", {4, 3, 5}, each};
    for (int64_t i = 0; i < 4; ++i) {
      for (int64_t j = 0; j < 3; ++j) {
        for (int64_t k = 0; k < 5; ++k) {
          const int64_t offset = i * each[0] + j * each[1] + k * each[2];
          EXPECT_EQ(find_coordinates(array, offset), (std::vector<int64_t>{i, j, k}));
        }
      }
    }
  }
}

TEST(FindCoordinates, knows_what_is_outside) {
  const ArrayRow rows{"", "float32", {3, 4}, {6, 1}};
  EXPECT_EQ(find_coordinates(rows, 5), std::nullopt);  // between two rows
  EXPECT_EQ(find_coordinates(rows, 16), std::nullopt);
  EXPECT_EQ(find_coordinates(rows, -1), std::nullopt);
  const ArrayRow empty{"", "float32", {3, 0}, {0, 1}};
  EXPECT_EQ(find_coordinates(empty, 0), std::nullopt);
  const ArrayRow huge{"", "float32", {INT64_MAX, 2}, {INT64_MIN, INT64_MAX}};
  EXPECT_EQ(find_coordinates(huge, 7), std::nullopt);
}

}  // namespace
}  // namespace assay::replay
