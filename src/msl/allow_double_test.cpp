// `double` is for kernels that assay writes itself; a user's source is held to what Metal has.
#include <gtest/gtest.h>

#include "msl/compile.h"

namespace assay::msl {
namespace {

const Source kSource{"double.metal",
                     "kernel void k(device double* x, uint i [[thread_position_in_grid]]) {\n"
                     "  x[i] = x[i] * 0.5;\n"
                     "}\n"};

TEST(AllowDouble, is_off_for_users) {
  CompileResult result = compile(kSource, {});
  EXPECT_FALSE(result.library);
  std::string text = render(result.diagnostics);
  EXPECT_NE(text.find("'double' is not supported in Metal"), std::string::npos) << text;
  EXPECT_NE(text.find("use float"), std::string::npos) << text;
}

TEST(AllowDouble, takes_double_where_it_is_asked_for) {
  CompileOptions options;
  options.allow_double = true;
  CompileResult result = compile(kSource, options);
  EXPECT_TRUE(result.library) << render(result.diagnostics);
}

// With the option set, a literal is what it is without.
TEST(AllowDouble, leaves_literals_float) {
  CompileOptions options;
  options.allow_double = true;
  Source source{"literal.metal", "static_assert(sizeof(1.0) == 4); kernel void k() {}\n"};
  CompileResult result = compile(source, options);
  EXPECT_TRUE(result.library) << render(result.diagnostics);
}

}  // namespace
}  // namespace assay::msl
