// What the front end allows code generators to do.
#include <gtest/gtest.h>

#include "msl/compile.h"

namespace assay::msl {
namespace {

std::string compile_loop(const std::string& pragma) {
  CompileResult result = compile({"loop.metal", R"(
#include <metal_stdlib>
kernel void k(device float* x [[buffer(0)]]) {
  )" + pragma + R"(
  for (int i = 0; i < 4; ++i) x[i] *= 2;
})"},
                                 {});
  return result.library ? result.library->bitcode : std::string();
}

TEST(FrontEnd, lets_loops_be_unrolled_unless_the_source_says_no) {
  // Names of metadata are plain text in bitcode.
  constexpr char kForbidden[] = "llvm.loop.unroll.disable";
  EXPECT_EQ(compile_loop("").find(kForbidden), std::string::npos);
  EXPECT_NE(compile_loop("#pragma nounroll\n").find(kForbidden), std::string::npos);
}

}  // namespace
}  // namespace assay::msl
