// Program-scope constants that depend on function constants.
#include "codegen/passes/fold_initialisers.h"

#include <gtest/gtest.h>

#include "codegen/passes/specialise_constants.h"
#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

kernel::FunctionConstant function_constant() {
  kernel::FunctionConstant constant;
  constant.name = "n";
  constant.index = 0;
  constant.type = "int";
  constant.symbol = "fc.n";
  constant.bytes = 4;
  return constant;
}

const ConstantValue kFive{0, "", {5, 0, 0, 0}};
const std::vector<Pass> kPasses = {{"specialise-constants", specialise_constants},
                                   {"fold-initialisers", fold_initialisers}};

// `double` is declared only, `next` reads it, `pair` is a struct written through a function, `lost`
// is not used by the kernel and could not be computed.
const char* const kText = R"(
@fc.n = external constant i32
@missing = external constant i32
@double = external constant i32
@next = internal global i32 0
@pair = internal global { i32, float } zeroinitializer
@lost = internal global i32 0
@llvm.global_ctors = appending global [3 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @init_double, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @init_file, ptr null },
  { i32, ptr, ptr } { i32 65535, ptr @init_lost, ptr null }]
define internal void @init_double() {
  %n = load i32, ptr @fc.n
  %big = icmp sgt i32 %n, 3
  br i1 %big, label %yes, label %no
yes:
  %d = mul i32 %n, 2
  br label %end
no:
  br label %end
end:
  %v = phi i32 [%d, %yes], [-1, %no]
  store i32 %v, ptr @double
  ret void
}
define internal void @init_file() {
  call void @init_next()
  call void @init_pair()
  ret void
}
define internal void @init_next() {
  %d = load i32, ptr @double
  %n = add i32 %d, 1
  store i32 %n, ptr @next
  ret void
}
define internal void @make_pair(ptr %to, i32 %n) {
  %copy = alloca { i32, float }
  store i32 %n, ptr %copy
  %second = getelementptr { i32, float }, ptr %copy, i64 0, i32 1
  %f = sitofp i32 %n to float
  store float %f, ptr %second
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %copy, i64 8, i1 false)
  ret void
}
define internal void @init_pair() {
  %n = load i32, ptr @next
  call void @make_pair(ptr @pair, i32 %n)
  ret void
}
define internal void @init_lost() {
  %n = load i32, ptr @missing
  store i32 %n, ptr @lost
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define void @k(ptr %p) {
  %a = load { i32, float }, ptr @pair
  store { i32, float } %a, ptr %p
  ret void
})";

TEST(FoldInitialisers, computes_chains_of_constants_and_leaves_no_code) {
  testing::PassFixture fixture(kText, testing::kernel_info({}), {function_constant()}, {kFive});
  EXPECT_EQ(fixture.run(kPasses), "");
  std::string text = fixture.text();
  EXPECT_NE(text.find("@pair = internal constant { i32, float } { i32 11, float 1.100000e+01 }"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("@next = internal constant i32 11"), std::string::npos) << text;
  EXPECT_NE(text.find("@double = internal constant i32 10"), std::string::npos) << text;
  EXPECT_EQ(text.find("@init_"), std::string::npos) << text;
  EXPECT_EQ(text.find("@lost"), std::string::npos) << text;
}

TEST(FoldInitialisers, names_the_function_constant_that_has_no_value) {
  testing::PassFixture fixture(kText, testing::kernel_info({}), {function_constant()}, {});
  EXPECT_NE(fixture.run(kPasses).find("function constant 'n' (index 0, type int) has no value"),
            std::string::npos);
}

TEST(FoldInitialisers, names_a_constant_that_cannot_be_computed) {
  testing::PassFixture fixture(R"(
declare i32 @unknown()
@_ZL5value = internal global i32 0
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @init, ptr null }]
define internal void @init() {
  %n = call i32 @unknown()
  store i32 %n, ptr @_ZL5value
  ret void
}
define void @k(ptr %p) {
  %a = load i32, ptr @_ZL5value
  store i32 %a, ptr %p
  ret void
})");
  EXPECT_NE(fixture.run(kPasses).find("the program-scope constant 'value' cannot be computed"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::codegen
