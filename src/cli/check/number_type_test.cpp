#include "cli/check/number_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace assay::cli {
namespace {

template <typename Number>
std::vector<Number> filled(std::string_view type, Fill fill, size_t count, uint32_t seed = 1) {
  const NewArray array{.type = *find_array_type(type), .shape = {count}, .fill = std::move(fill)};
  std::vector<Number> numbers(count, Number(77));
  const Result<void> done = fill_array(array, seed, std::as_writable_bytes(std::span(numbers)));
  EXPECT_TRUE(done);
  return numbers;
}

TEST(NumberType, is_known_by_the_names_of_numpy_and_msl) {
  EXPECT_EQ(find_number_type("float32")->name(), "float");
  EXPECT_EQ(find_number_type("uint16")->name(), "ushort");
  EXPECT_EQ(find_number_type("bfloat16")->name(), "bfloat");
  EXPECT_EQ(find_number_type("bool")->name(), "bool");
  EXPECT_EQ(find_number_type("float4")->name(), "float4");
  EXPECT_FALSE(find_number_type("float64"));
  EXPECT_FALSE(find_number_type("double"));
  EXPECT_FALSE(find_number_type("complex64"));
}

TEST(FillArray, gives_every_element_a_value) {
  EXPECT_EQ(filled<float>("float32", {FillKind::kZeros, {}}, 3), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(filled<float>("float32", {FillKind::kOnes, {}}, 2), (std::vector<float>{1, 1}));
  EXPECT_EQ(filled<int16_t>("int16", {FillKind::kIota, {}}, 4), (std::vector<int16_t>{0, 1, 2, 3}));
  EXPECT_EQ(filled<int32_t>("int32", {FillKind::kNumbers, {"-7"}}, 3),
            (std::vector<int32_t>{-7, -7, -7}));
  EXPECT_EQ(filled<float>("float32", {FillKind::kNone, {}}, 2), (std::vector<float>{77, 77}));
  EXPECT_EQ(filled<uint64_t>("uint64", {FillKind::kNumbers, {"18446744073709551615", "2"}}, 2),
            (std::vector<uint64_t>{UINT64_MAX, 2}));
}

TEST(FillArray, wraps_iota_where_the_type_is_small) {
  const std::vector<uint8_t> numbers = filled<uint8_t>("uint8", {FillKind::kIota, {}}, 600);
  for (size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i % 256);
  EXPECT_EQ(filled<uint8_t>("bool", {FillKind::kIota, {}}, 3), (std::vector<uint8_t>{0, 1, 1}));
}

TEST(FillArray, rounds_to_the_type) {
  const auto halves = filled<_Float16>("float16", {FillKind::kNumbers, {"0.1"}}, 1);
  EXPECT_EQ(static_cast<float>(halves[0]), static_cast<float>(static_cast<_Float16>(0.1)));
  EXPECT_EQ(filled<uint16_t>("bfloat16", {FillKind::kOnes, {}}, 1)[0], 0x3f80);
}

TEST(FillArray, makes_random_arrays_that_repeat_and_differ) {
  const Fill fill{FillKind::kRandom, {}};
  const auto first = filled<float>("float32", fill, 1000, 1);
  EXPECT_EQ(first, filled<float>("float32", fill, 1000, 1));
  EXPECT_NE(first, filled<float>("float32", fill, 1000, 2));
  for (const float number : first) EXPECT_LE(std::abs(number), 1.0f);
  for (const int8_t number : filled<int8_t>("int8", fill, 1000)) {
    EXPECT_GE(number, 0);
    EXPECT_LT(number, 100);
  }
}

TEST(FillArray, refuses_numbers_that_do_not_fit) {
  const NewArray array{
      .type = *find_array_type("uint8"), .shape = {1}, .fill = {FillKind::kNumbers, {"256"}}};
  std::byte memory[1];
  const Result<void> filled = fill_array(array, 1, memory);
  ASSERT_FALSE(filled);
  EXPECT_EQ(filled.error().message, "'256' is not a value of uchar");
}

}  // namespace
}  // namespace assay::cli
