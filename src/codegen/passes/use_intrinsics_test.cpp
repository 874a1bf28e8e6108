// Calls by name become operations.
#include "codegen/passes/use_intrinsics.h"

#include <gtest/gtest.h>

#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

TEST(UseIntrinsics, replaces_math_functions_of_c) {
  testing::PassFixture fixture(R"(
declare float @fmaf(float, float, float)
declare float @fmodf(float, float)
declare float @ldexpf(float, i32)
declare float @unknownf(float)
define void @k(ptr %p, float %a, float %b, i32 %n) {
  %1 = call float @fmaf(float %a, float %b, float %a)
  %2 = call float @fmodf(float %1, float %b)
  %3 = call float @ldexpf(float %2, i32 %n)
  %4 = call float @unknownf(float %3)
  store float %4, ptr %p
  ret void
})");
  EXPECT_EQ(fixture.run({{"use-intrinsics", use_intrinsics}}), "");
  const std::string text = fixture.text();
  EXPECT_NE(text.find("call float @llvm.fma.f32(float %a, float %b, float %a)"), std::string::npos);
  EXPECT_NE(text.find("frem float"), std::string::npos);
  EXPECT_NE(text.find("call float @llvm.ldexp.f32.i32("), std::string::npos);
  EXPECT_NE(text.find("call float @unknownf("), std::string::npos);
  EXPECT_EQ(text.find("@fmaf"), std::string::npos);
}

}  // namespace
}  // namespace assay::codegen
