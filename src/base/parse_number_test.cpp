#include "base/parse_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace assay {
namespace {

TEST(ParseNumber, takes_whole_numbers_only) {
  EXPECT_EQ(parse_number<int64_t>("-12"), -12);
  EXPECT_EQ(parse_number<uint64_t>("18446744073709551615"), UINT64_MAX);
  for (const char* text : {"", " 1", "1 ", "1x", "+1", "0x10", "-", "1,2"}) {
    EXPECT_EQ(parse_number<int64_t>(text), std::nullopt) << text;
  }
}

TEST(ParseNumber, refuses_what_does_not_fit) {
  EXPECT_EQ(parse_number<uint8_t>("255"), 255);
  EXPECT_EQ(parse_number<uint8_t>("256"), std::nullopt);
  EXPECT_EQ(parse_number<uint64_t>("-1"), std::nullopt);
  EXPECT_EQ(parse_number<float>("1e39"), std::nullopt);
}

TEST(ParseNumber, reads_other_bases_and_fractions) {
  EXPECT_EQ(parse_number<uint32_t>("ff", 16), 255U);
  EXPECT_EQ(parse_number<float>("-2.5e1"), -25.0F);
  EXPECT_EQ(parse_number<double>("0.1"), 0.1);
  EXPECT_EQ(parse_number<float>("1.0f"), std::nullopt);
}

}  // namespace
}  // namespace assay
