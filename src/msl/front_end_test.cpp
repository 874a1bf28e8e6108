// What the front end allows code generators to do, read off the names in its bitcode: those of
// metadata and of functions are plain text there.
#include <gtest/gtest.h>

#include "msl/compile.h"

namespace assay::msl {
namespace {

bool contains(const std::string& name, const std::string& body,
              MathMode math_mode = MathMode::kSafe) {
  Source source{
      "k.metal",
      "#include <metal_stdlib>\nkernel void k(device float* x [[buffer(0)]]) {" + body + "}\n"};
  CompileOptions options;
  options.math_mode = math_mode;
  CompileResult result = compile(source, options);
  EXPECT_TRUE(result.library.has_value());
  return result.library && result.library->bitcode.find(name) != std::string::npos;
}

TEST(FrontEnd, lets_loops_be_unrolled_unless_the_source_says_no) {
  const std::string loop = "\nfor (int i = 0; i < 4; ++i) x[i] *= 2;\n";
  EXPECT_FALSE(contains("llvm.loop.unroll.disable", loop));
  EXPECT_TRUE(contains("llvm.loop.unroll.disable", "\n#pragma nounroll" + loop));
}

TEST(FrontEnd, chooses_math_functions_by_the_math_mode) {
  const std::string body = "*x = metal::exp(*x);";
  EXPECT_TRUE(contains("4fast3exp", body, MathMode::kFast));
  EXPECT_FALSE(contains("4fast3exp", body, MathMode::kRelaxed));
  EXPECT_FALSE(contains("4fast3exp", body, MathMode::kSafe));
}

}  // namespace
}  // namespace assay::msl
