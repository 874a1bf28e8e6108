#include "cli/scalar_type.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace assay::cli {
namespace {

// "int:-2" → "fe ff ff ff", or the message.
std::string bytes_of(std::string_view type, std::string_view text) {
  const auto value_type = find_value_type(type);
  if (!value_type) return "no such type";
  const auto bytes = parse_value(*value_type, text);
  if (!bytes) return bytes.error().message;
  std::string hex;
  for (const std::byte byte : *bytes) hex += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return hex;
}

TEST(ScalarType, stores_integers_in_memory_order) {
  EXPECT_EQ(bytes_of("int", "-2"), "feffffff");
  EXPECT_EQ(bytes_of("uint", "0xdeadbeef"), "efbeadde");
  EXPECT_EQ(bytes_of("ushort", "65535"), "ffff");
  EXPECT_EQ(bytes_of("ulong", "18446744073709551615"), "ffffffffffffffff");
  EXPECT_EQ(bytes_of("long", "-9223372036854775808"), "0000000000000080");
  EXPECT_EQ(bytes_of("bool", "true"), "01");
}

TEST(ScalarType, refuses_integers_out_of_range) {
  EXPECT_EQ(bytes_of("char", "127"), "7f");
  EXPECT_EQ(bytes_of("char", "128"), "'128' is not a value of char");
  EXPECT_EQ(bytes_of("char", "-128"), "80");
  EXPECT_EQ(bytes_of("char", "-129"), "'-129' is not a value of char");
  EXPECT_EQ(bytes_of("uint", "-1"), "'-1' is not a value of uint");
  EXPECT_EQ(bytes_of("uint", "4294967296"), "'4294967296' is not a value of uint");
  EXPECT_EQ(bytes_of("uint", ""), "'' is not a value of uint");
  EXPECT_EQ(bytes_of("uint", "5x"), "'5x' is not a value of uint");
  EXPECT_EQ(bytes_of("bool", "2"), "'2' is not a value of bool");
}

TEST(ScalarType, rounds_floating_point_values) {
  EXPECT_EQ(bytes_of("float", "0.5"), "0000003f");
  EXPECT_EQ(bytes_of("float", "-inf"), "000080ff");
  EXPECT_EQ(bytes_of("half", "0.1"), "662e");
  EXPECT_EQ(bytes_of("half", "65520"), "007c") << "rounds up to infinity";
  EXPECT_EQ(bytes_of("bfloat", "1.00390625"), "803f") << "a tie goes to the even neighbour";
  EXPECT_EQ(bytes_of("bfloat", "1.01171875"), "823f");
}

TEST(ScalarType, keeps_nan_when_it_narrows_to_bfloat) {
  EXPECT_TRUE(std::isnan(bfloat_value(bfloat_bits(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isnan(bfloat_value(bfloat_bits(std::bit_cast<float>(0x7f800001u)))));
}

TEST(ScalarType, gives_vectors_of_three_the_room_of_four) {
  EXPECT_EQ(bytes_of("short3", "1,2,3"), "0100020003000000");
  EXPECT_EQ(bytes_of("uchar4", "1,2,3,4"), "01020304");
  EXPECT_EQ(bytes_of("uchar4", "1,2,3"),
            "'1,2,3' does not have the values of uchar4; write them with commas between");
  EXPECT_EQ(bytes_of("int", "1,2"),
            "'1,2' does not have the one value of int; write them with commas between");
  EXPECT_EQ(bytes_of("int5", "1"), "no such type");
}

TEST(ScalarType, sees_through_qualifiers_of_arguments) {
  const auto element = [](std::string_view type) {
    const auto found = find_element_type(type);
    return found ? found->name() : "none";
  };
  EXPECT_EQ(element("const device float*"), "float");
  EXPECT_EQ(element("device const float *"), "float");
  EXPECT_EQ(element("constant uint2&"), "uint2");
  EXPECT_EQ(element("device atomic_uint*"), "uint");
  EXPECT_EQ(element("device atomic<unsigned int> *"), "uint");
  EXPECT_EQ(element("device metal::packed_float3*"), "float3");
  EXPECT_EQ(element("const constant uint32_t&"), "uint");
  EXPECT_EQ(element("constant Params&"), "none");
  EXPECT_EQ(element("device void*"), "none");
  EXPECT_EQ(element("device device_state*"), "none");
}

}  // namespace
}  // namespace assay::cli
