#include "cli/array_type.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace assay::cli {
namespace {

template <typename Value>
std::string preview(std::string_view type, std::vector<Value> values) {
  return preview_text(*find_array_type(type), std::as_bytes(std::span(values)));
}

TEST(ArrayType, previews_short_arrays_whole_and_long_ones_by_their_ends) {
  EXPECT_EQ(preview<float>("float32", {}), "[]");
  std::vector<int32_t> values(8);
  std::iota(values.begin(), values.end(), -3);
  EXPECT_EQ(preview("int32", values), "[-3, -2, -1, 0, 1, 2, 3, 4]");
  values.push_back(100);
  EXPECT_EQ(preview("int32", values), "[-3, -2, -1, 0, 1, 2, …, 4, 100]");
}

TEST(ArrayType, previews_every_kind_of_element) {
  EXPECT_EQ(preview<uint8_t>("bool", {0, 1}), "[false, true]");
  EXPECT_EQ(preview<int8_t>("int8", {-128, 65}), "[-128, 65]");
  EXPECT_EQ(preview<uint8_t>("uint8", {200, 65}), "[200, 65]");
  EXPECT_EQ(preview<uint64_t>("uint64", {UINT64_MAX}), "[18446744073709551615]");
  EXPECT_EQ(preview<uint16_t>("float16", {0x3c00, 0xfc00}), "[1, -inf]");
  EXPECT_EQ(preview<uint16_t>("bfloat16", {0x3f80, 0xc000}), "[1, -2]");
  EXPECT_EQ(preview<double>("float64", {1e300}), "[1e+300]");
  EXPECT_EQ(preview<float>("complex64", {1, -2}), "[1-2i]");
}

TEST(ArrayType, knows_numpy_names_and_bfloat) {
  EXPECT_FALSE(find_array_type("float"));
  EXPECT_EQ(find_array_type("bfloat16")->bytes(), 2u);
  EXPECT_TRUE(find_array_type("bfloat16")->is_float());
  EXPECT_FALSE(find_array_type("uint16")->is_float());
}

}  // namespace
}  // namespace assay::cli
