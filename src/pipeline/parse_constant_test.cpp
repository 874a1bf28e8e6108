// Values of function constants from text.
#include <gtest/gtest.h>

#include "pipeline/pipeline_cache.h"

namespace assay::pipeline {
namespace {

using Bytes = std::vector<uint8_t>;

Result<codegen::ConstantValue> parse(const std::string& type, std::string_view text,
                                     uint64_t size) {
  kernel::FunctionConstant constant;
  constant.name = "c";
  constant.type = type;
  constant.bytes = size;
  return parse_constant(constant, text);
}

void expect_bytes(const std::string& type, std::string_view text, const Bytes& bytes) {
  const Result<codegen::ConstantValue> value = parse(type, text, bytes.size());
  ASSERT_TRUE(value) << type << " " << text << ": " << value.error().message;
  EXPECT_EQ(value->bytes, bytes) << type << " " << text;
}

TEST(ParseConstant, takes_every_scalar_type_under_every_name) {
  expect_bytes("bool", "true", Bytes{1});
  expect_bytes("char", "-1", Bytes{0xff});
  expect_bytes("int8_t", "-2", Bytes{0xfe});
  expect_bytes("uint8_t", "255", Bytes{0xff});
  expect_bytes("int16_t", "258", Bytes{2, 1});
  expect_bytes("uint16_t", "65535", Bytes{0xff, 0xff});
  expect_bytes("int32_t", "-1", Bytes{0xff, 0xff, 0xff, 0xff});
  expect_bytes("uint32_t", "1", Bytes{1, 0, 0, 0});
  expect_bytes("int64_t", "1", Bytes{1, 0, 0, 0, 0, 0, 0, 0});
  expect_bytes("size_t", "1", Bytes{1, 0, 0, 0, 0, 0, 0, 0});
  expect_bytes("float", "1", Bytes{0, 0, 0x80, 0x3f});
  expect_bytes("half", "1", Bytes{0, 0x3c});
  expect_bytes("ushort2", "1,2", Bytes{1, 0, 2, 0});
}

TEST(ParseConstant, refuses_what_does_not_fit) {
  for (const auto& [type, text] :
       std::initializer_list<std::pair<const char*, const char*>>{{"int8_t", "128"},
                                                                  {"uint", "-1"},
                                                                  {"bool", "yes"},
                                                                  {"int", "1.5"},
                                                                  {"int", ""},
                                                                  {"uint16_t", "65536"},
                                                                  {"ushort2", "1"},
                                                                  {"Struct", "1"}}) {
    EXPECT_FALSE(parse(type, text, 4)) << type << " " << text;
  }
}

}  // namespace
}  // namespace assay::pipeline
