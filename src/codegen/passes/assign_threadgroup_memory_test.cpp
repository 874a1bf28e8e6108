// Threadgroup variables from declaration to offset: both passes that handle them.
#include "codegen/passes/assign_threadgroup_memory.h"

#include <gtest/gtest.h>

#include "codegen/passes/name_threadgroup_memory.h"
#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

const std::string kDeclaration = "declare ptr @assay.threadgroup.memory(i32, i64, i64)\n";

struct Outcome {
  std::string error;
  uint64_t bytes;
  std::string text;
};

Outcome assign(const std::string& text) {
  testing::PassFixture fixture(kDeclaration + text, testing::kernel_info({}));
  std::string error = fixture.run_until("build-entry");
  return {error, fixture.build().info.static_threadgroup_bytes, fixture.text()};
}

TEST(AssignThreadgroupMemory, aligns_each_variable_and_rounds_the_total_to_16) {
  Outcome outcome = assign(R"(
define void @k(ptr %p) {
  %a = call ptr @assay.threadgroup.memory(i32 0, i64 3, i64 1)
  %b = call ptr @assay.threadgroup.memory(i32 1, i64 8, i64 8)
  %c = call ptr @assay.threadgroup.memory(i32 2, i64 1, i64 64)
  store volatile ptr %a, ptr %p
  store volatile ptr %b, ptr %p
  store volatile ptr %c, ptr %p
  ret void
})");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.bytes, 80u);
  EXPECT_NE(outcome.text.find("i64 8"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("i64 64"), std::string::npos) << outcome.text;
}

TEST(AssignThreadgroupMemory, gives_a_function_one_storage_however_often_it_is_called) {
  Outcome outcome = assign(R"(
define ptr @f() { %a = call ptr @assay.threadgroup.memory(i32 0, i64 32, i64 4) ret ptr %a }
define ptr @g() { %a = call ptr @assay.threadgroup.memory(i32 0, i64 48, i64 4) ret ptr %a }
define void @k(ptr %p) {
  %a = call ptr @f()
  %b = call ptr @f()
  %c = call ptr @g()
  store volatile ptr %a, ptr %p
  store volatile ptr %b, ptr %p
  store volatile ptr %c, ptr %p
  ret void
})");
  EXPECT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.bytes, 80u);
}

TEST(AssignThreadgroupMemory, takes_no_space_for_variables_in_dead_branches) {
  Outcome outcome = assign(R"(
@off = internal constant i8 0
define void @k(ptr %p) {
  %flag = load i8, ptr @off
  %taken = trunc i8 %flag to i1
  br i1 %taken, label %yes, label %no
yes:
  %a = call ptr @assay.threadgroup.memory(i32 0, i64 4096, i64 4)
  store volatile ptr %a, ptr %p
  ret void
no:
  %b = call ptr @assay.threadgroup.memory(i32 1, i64 16, i64 4)
  store volatile ptr %b, ptr %p
  ret void
})");
  EXPECT_EQ(outcome.bytes, 16u);
}

TEST(AssignThreadgroupMemory, refuses_an_alignment_that_no_executor_provides) {
  Outcome outcome = assign(R"(
define void @k(ptr %p) {
  %a = call ptr @assay.threadgroup.memory(i32 0, i64 16, i64 512)
  store volatile ptr %a, ptr %p
  ret void
})");
  EXPECT_EQ(outcome.error,
            "[compile] kernel 'k': a threadgroup variable asks for an alignment of 512 bytes; at "
            "most 256 are possible");
}

}  // namespace
}  // namespace assay::codegen
