// Which accesses stay within what belongs to one thread of a grid.
#include "codegen/checks/own_elements.h"

#include <gtest/gtest.h>

#include "codegen/checks/insert_checks.h"
#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

using kernel::ThreadAttribute;
using testing::PassFixture;

kernel::KernelInfo info_with(ThreadAttribute attribute, uint32_t component_bytes = 4) {
  return testing::kernel_info(
      {testing::buffer("out", 0), testing::attribute(attribute, 1, component_bytes)});
}

// Of the store, the last site of a kernel.
uint64_t own_bytes_of_store(PassFixture& fixture) {
  EXPECT_EQ(fixture.run({{"insert-checks", insert_checks}}), "");
  const auto& checks = fixture.build().checks;
  if (!checks || checks->sites.empty()) return UINT64_MAX;
  EXPECT_EQ(checks->sites.back().kind, kernel::SiteKind::kStore);
  return checks->sites.back().own_bytes;
}

// Where %index, 64 bits, is computed out of %i, and `type` is stored there.
uint64_t own_bytes(const std::string& index, const std::string& type = "i32",
                   ThreadAttribute attribute = ThreadAttribute::kThreadPositionInGrid) {
  const std::string text = "define void @k(ptr %out, i32 %i) {\n" + index +
                           "  %p = getelementptr i32, ptr %out, i64 %index\n  store " + type +
                           " zeroinitializer, ptr %p, align 4\n  ret void\n}\n";
  PassFixture fixture(text, info_with(attribute));
  return own_bytes_of_store(fixture);
}

TEST(OwnElements, are_those_at_the_position) {
  EXPECT_EQ(own_bytes("  %index = zext i32 %i to i64\n"), 4U);
  EXPECT_EQ(own_bytes("  %index = sext i32 %i to i64\n"), 4U);
}

TEST(OwnElements, are_those_of_a_row_per_thread) {
  EXPECT_EQ(own_bytes("  %m = mul i32 %i, 3\n  %a = add i32 %m, 2\n"
                      "  %index = zext i32 %a to i64\n"),
            12U);
  EXPECT_EQ(own_bytes("  %m = shl i32 %i, 1\n  %a = or disjoint i32 %m, 1\n"
                      "  %index = zext i32 %a to i64\n"),
            8U);
  EXPECT_EQ(own_bytes("  %m = shl i32 %i, 2\n  %index = zext i32 %m to i64\n", "<4 x float>"), 16U);
}

TEST(OwnElements, end_with_the_row) {
  EXPECT_EQ(own_bytes("  %m = mul i32 %i, 3\n  %a = add i32 %m, 3\n"
                      "  %index = zext i32 %a to i64\n"),
            0U);
  EXPECT_EQ(own_bytes("  %a = add i32 %i, 1\n  %index = zext i32 %a to i64\n"), 0U);
  EXPECT_EQ(own_bytes("  %index = zext i32 %i to i64\n", "<2 x float>"), 0U);
  EXPECT_EQ(own_bytes("  %m = shl i32 %i, 1\n  %a = or i32 %m, 3\n"
                      "  %index = zext i32 %a to i64\n"),
            0U);
}

TEST(OwnElements, are_unknown_where_positions_come_together) {
  EXPECT_EQ(own_bytes("  %a = lshr i32 %i, 1\n  %index = zext i32 %a to i64\n"), 0U);
  EXPECT_EQ(own_bytes("  %a = and i32 %i, 255\n  %index = zext i32 %a to i64\n"), 0U);
  EXPECT_EQ(own_bytes("  %a = mul i32 %i, 0\n  %index = zext i32 %a to i64\n"), 0U);
  EXPECT_EQ(own_bytes("  %a = sub i32 7, %i\n  %index = zext i32 %a to i64\n"), 0U);
  EXPECT_EQ(own_bytes("  %a = add i32 %i, -1\n  %index = zext i32 %a to i64\n"), 0U);
  EXPECT_EQ(own_bytes("  %a = mul i32 %i, %i\n  %index = zext i32 %a to i64\n"), 0U);
  // A product that goes beyond 32 bits with few threads.
  EXPECT_EQ(own_bytes("  %a = mul i32 %i, 65537\n  %index = zext i32 %a to i64\n"), 0U);
}

TEST(OwnElements, are_unknown_for_numbers_that_repeat) {
  const std::string index = "  %index = zext i32 %i to i64\n";
  EXPECT_EQ(own_bytes(index, "i32", ThreadAttribute::kThreadPositionInThreadgroup), 0U);
  EXPECT_EQ(own_bytes(index, "i32", ThreadAttribute::kThreadgroupPositionInGrid), 0U);
}

TEST(OwnElements, are_unknown_for_positions_of_16_bits) {
  PassFixture fixture(R"(
define void @k(ptr %out, i16 %i) {
  %index = zext i16 %i to i64
  %p = getelementptr i32, ptr %out, i64 %index
  store i32 0, ptr %p, align 4
  ret void
})",
                      info_with(ThreadAttribute::kThreadPositionInGrid, 2));
  EXPECT_EQ(own_bytes_of_store(fixture), 0U);
}

}  // namespace
}  // namespace assay::codegen
