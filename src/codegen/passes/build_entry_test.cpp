// Arguments of the entry: optional ones, slots, and disagreement with the argument table.
#include "codegen/passes/build_entry.h"

#include <gtest/gtest.h>

#include "codegen/testing/build_text.h"
#include "codegen/testing/simple_executor.h"

namespace assay::codegen {
namespace {

// Writes 1 when `optional` is there, 2 when it is not.
const char* const kOptional = R"(
@_ZL7derived = internal constant i8 1
@fc.flag = external constant i8
@computed = external constant i8
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [
  { i32, ptr, ptr } { i32 65535, ptr @compute, ptr null }]
define internal void @compute() {
  %flag = load i8, ptr @fc.flag
  %not = xor i8 %flag, 1
  store i8 %not, ptr @computed
  ret void
}
define void @k(ptr %out, ptr %optional) {
  %absent = icmp eq ptr %optional, null
  %v = select i1 %absent, i32 2, i32 1
  store i32 %v, ptr %out
  ret void
})";

kernel::KernelInfo optional_info(const std::string& condition) {
  kernel::KernelInfo info =
      testing::kernel_info({testing::buffer("out", 0), testing::buffer("optional", 1)});
  info.arguments[1].present_if = condition;
  return info;
}

kernel::FunctionConstant flag() {
  kernel::FunctionConstant constant;
  constant.name = "flag";
  constant.type = "bool";
  constant.symbol = "fc.flag";
  constant.bytes = 1;
  return constant;
}

Result<BuildOutput> build_optional(const std::string& condition,
                                   std::vector<ConstantValue> values) {
  std::vector<kernel::FunctionConstant> constants = {flag()};
  return build_cpu_kernel(testing::to_bitcode(kOptional), optional_info(condition), constants,
                          values, testing::checked_options());
}

int run_optional(const kernel::KernelImage& image) {
  int out = 0, other = 0;
  testing::run(image, {.buffers = {&out, &other}});
  return out;
}

TEST(BuildEntry, passes_null_for_an_argument_whose_constant_is_false) {
  Result<BuildOutput> output = build_optional("flag", {{0, "", {0}}});
  ASSERT_TRUE(output.ok()) << output.error().message;
  EXPECT_EQ(run_optional(output->image), 2);
  EXPECT_EQ(output->image.info.arguments[1].present_if, "flag");
}

TEST(BuildEntry, makes_an_argument_whose_constant_is_true_a_required_one) {
  Result<BuildOutput> output = build_optional("flag", {{0, "", {1}}});
  ASSERT_TRUE(output.ok()) << output.error().message;
  EXPECT_EQ(run_optional(output->image), 1);
  EXPECT_EQ(output->image.info.arguments[1].present_if, std::nullopt);
}

TEST(BuildEntry, takes_a_constant_without_a_value_for_absent) {
  Result<BuildOutput> output = build_optional("flag", {});
  ASSERT_TRUE(output.ok()) << output.error().message;
  EXPECT_EQ(run_optional(output->image), 2);
}

TEST(BuildEntry, follows_a_condition_that_is_computed_from_function_constants) {
  for (const char* name : {"derived", "computed"}) {
    Result<BuildOutput> output = build_optional(name, {{0, "", {0}}});
    ASSERT_TRUE(output.ok()) << output.error().message;
    EXPECT_EQ(run_optional(output->image), 1) << name;
  }
}

TEST(BuildEntry, refuses_a_condition_that_does_not_exist) {
  Result<BuildOutput> output = build_optional("nothing", {});
  ASSERT_FALSE(output.ok());
  EXPECT_EQ(output.error().message,
            "[compile] kernel 'k': an optional argument depends on 'nothing', which is no function "
            "constant of the library");
}

TEST(BuildEntry, refuses_slots_beyond_the_last_one) {
  const char* text = "define void @k(ptr %p) { ret void }";
  EXPECT_EQ(testing::build_error(text, testing::kernel_info({testing::buffer("p", 64)})),
            "[compile] kernel 'k': argument 'p' uses buffer slot 64; the last one is 63");
  EXPECT_EQ(
      testing::build_error(text, testing::kernel_info({testing::threadgroup_memory("p", 32)})),
      "[compile] kernel 'k': argument 'p' uses threadgroup slot 32; the last one is 31");
}

TEST(BuildEntry, reports_an_argument_table_that_does_not_fit_the_function) {
  const char* text = "define void @k(i64 %p) { ret void }";
  EXPECT_NE(testing::build_error(text, testing::kernel_info({})).find("internal error"),
            std::string::npos);
  EXPECT_NE(testing::build_error(text, testing::kernel_info({testing::buffer("p", 0)}))
                .find("argument 'p' has another type in the IR"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::codegen
