// Function constants: values in, constants in the IR out, and what hosts can do wrong.
#include "codegen/passes/specialise_constants.h"

#include <gtest/gtest.h>

#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

using kernel::FunctionConstant;

FunctionConstant constant(std::string name, uint32_t index, std::string type, uint64_t bytes) {
  FunctionConstant result;
  result.name = name;
  result.index = index;
  result.type = std::move(type);
  result.symbol = "fc." + name;
  result.defined_symbol = "fc." + name + ".defined";
  result.bytes = bytes;
  return result;
}

template <typename T>
ConstantValue value(uint32_t index, T data, std::string name = "") {
  ConstantValue result{index, std::move(name), std::vector<uint8_t>(sizeof(T))};
  std::memcpy(result.bytes.data(), &data, sizeof(T));
  return result;
}

const std::vector<Pass> kPasses = {{"specialise-constants", specialise_constants},
                                   {"require-constants", require_constants}};

TEST(SpecialiseConstants, gives_every_type_its_value) {
  testing::PassFixture fixture(
      R"(
%short2 = type { i16, i16 }
@fc.flag = external constant i8
@fc.count = external constant i32
@fc.scale = external constant float
@fc.pair = external constant %short2
@fc.count.defined = external constant i8
define void @k(ptr %p) {
  %a = load i8, ptr @fc.flag
  %b = load i32, ptr @fc.count
  %c = load float, ptr @fc.scale
  %d = load %short2, ptr @fc.pair
  %e = load i8, ptr @fc.count.defined
  store volatile i8 %a, ptr %p
  store volatile i32 %b, ptr %p
  store volatile float %c, ptr %p
  store volatile %short2 %d, ptr %p
  store volatile i8 %e, ptr %p
  ret void
})",
      testing::kernel_info({}),
      {constant("flag", 0, "bool", 1), constant("count", 3, "int", 4),
       constant("scale", 4, "float", 4), constant("pair", 5, "short2", 4)},
      {value<uint8_t>(0, 255), value<int32_t>(99, -7, "count"), value<float>(4, 2.5f),
       value<std::array<int16_t, 2>>(5, {-1, 300})});
  EXPECT_EQ(fixture.run(kPasses), "");
  std::string text = fixture.text();
  for (const char* expected :
       {"@fc.flag = internal constant i8 1", "@fc.count = internal constant i32 -7",
        "@fc.scale = internal constant float 2.500000e+00",
        "@fc.pair = internal constant %short2 { i16 -1, i16 300 }",
        "@fc.count.defined = internal constant i8 1"}) {
    EXPECT_NE(text.find(expected), std::string::npos) << expected << " in\n" << text;
  }
}

const char* const kAskedConstant = R"(
@fc.count = external constant i32
@fc.count.defined = external constant i8
define void @k(ptr %p) {
  %is = load i8, ptr @fc.count.defined
  %defined = trunc i8 %is to i1
  br i1 %defined, label %use, label %skip
use:
  %v = load i32, ptr @fc.count
  store i32 %v, ptr %p
  ret void
skip:
  store i32 -1, ptr %p
  ret void
})";

// The same constant, used without asking.
const char* const kUsedConstant = R"(
@fc.count = external constant i32
define void @k(ptr %p) {
  %v = load i32, ptr @fc.count
  store i32 %v, ptr %p
  ret void
})";

std::string error_with(std::vector<ConstantValue> values) {
  testing::PassFixture fixture(kUsedConstant, testing::kernel_info({}),
                               {constant("count", 3, "int", 4)}, std::move(values));
  return fixture.run(kPasses);
}

TEST(SpecialiseConstants, reports_a_missing_value_with_name_index_and_type) {
  EXPECT_EQ(
      error_with({}),
      "[compile] kernel 'k': function constant 'count' (index 3, type int) has no value; give "
      "it with --constant count=V");
}

TEST(SpecialiseConstants, accepts_a_missing_value_when_the_source_asks_for_it) {
  testing::PassFixture fixture(kAskedConstant, testing::kernel_info({testing::buffer("p", 0)}),
                               {constant("count", 3, "int", 4)}, {});
  EXPECT_EQ(fixture.run_until("assign-threadgroup-memory"), "");
  EXPECT_NE(fixture.text().find("store i32 -1"), std::string::npos);
}

TEST(SpecialiseConstants, reports_a_value_of_the_wrong_size) {
  EXPECT_EQ(
      error_with({value<uint16_t>(3, 1)}),
      "[compile] kernel 'k': function constant 'count' (index 3) has type int of 4 bytes, but "
      "the value given has 2");
}

TEST(SpecialiseConstants, reports_a_name_that_does_not_exist) {
  EXPECT_EQ(error_with({value<int32_t>(3, 1, "cuont")}),
            "[compile] kernel 'k': the library has no function constant 'cuont'; it has: count");
}

TEST(SpecialiseConstants, ignores_an_index_that_does_not_exist) {
  EXPECT_EQ(error_with({value<int32_t>(3, 1), value<int64_t>(8, 1)}), "");
}

}  // namespace
}  // namespace assay::codegen
