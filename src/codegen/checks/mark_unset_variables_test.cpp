// Which uses of variables without a value are watched.
#include "codegen/checks/mark_unset_variables.h"

#include <gtest/gtest.h>

#include "codegen/intrinsics.h"
#include "codegen/testing/pass_fixture.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

using testing::PassFixture;

// The variables that the kernel is checked for, in the order of the code.
std::vector<std::string> watched(const std::string& text) {
  kernel::KernelInfo info = testing::kernel_info({});
  for (uint32_t slot = 0; slot < 2; ++slot) {
    info.arguments.push_back(testing::buffer("b" + std::to_string(slot), slot));
  }
  PassFixture fixture(text, info);
  EXPECT_EQ(fixture.run({{"mark-unset-variables", mark_unset_variables}}), "");
  std::vector<std::string> names;
  for (llvm::Instruction& instruction : llvm::instructions(*fixture.build().kernel)) {
    const auto intrinsic = find_intrinsic(instruction);
    if (!intrinsic || intrinsic->kind != IntrinsicKind::kCheckCondition) continue;
    auto* condition = llvm::cast<llvm::CallInst>(&instruction)->getArgOperand(1);
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(condition);
    if (known && known->isZero()) continue;
    const llvm::MDNode* name = instruction.getMetadata(kVariableMetadata);
    names.push_back(llvm::cast<llvm::MDString>(name->getOperand(0))->getString().str());
  }
  return names;
}

using Names = std::vector<std::string>;

constexpr char kTypes[] = R"(
%pair = type { float, float }
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare i32 @assay.simd.shuffle.i32(i32, i32)
)";

TEST(MarkUnsetVariables, watches_arithmetic_with_what_a_copy_brings_along) {
  EXPECT_EQ(watched(std::string(kTypes) + R"(
define void @k(ptr %a, ptr %b) {
  %first = alloca %pair
  %other = alloca %pair
  store float 1.0, ptr %first
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %first, i64 8, i1 false)
  %p = getelementptr i8, ptr %other, i64 4
  %x = load float, ptr %other
  %y = load float, ptr %p
  %s = fadd float %x, %y
  store float %s, ptr %a
  ret void
})"),
            Names{"first"});
}

TEST(MarkUnsetVariables, lets_copies_be) {
  EXPECT_EQ(watched(std::string(kTypes) + R"(
define void @k(ptr %a, ptr %b) {
  %first = alloca %pair
  %other = alloca %pair
  store float 1.0, ptr %first
  call void @llvm.memcpy.p0.p0.i64(ptr %other, ptr %first, i64 8, i1 false)
  %x = load float, ptr %other
  store float %x, ptr %a
  ret void
})"),
            Names{});
}

TEST(MarkUnsetVariables, watches_what_goes_to_buffers) {
  EXPECT_EQ(watched(std::string(kTypes) + R"(
define void @k(ptr %a, ptr %b) {
  %first = alloca %pair
  store float 1.0, ptr %first
  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr %first, i64 8, i1 false)
  ret void
})"),
            Names{"first"});
}

TEST(MarkUnsetVariables, follows_variables_into_functions) {
  const std::string text = std::string(kTypes) + R"(
define internal void @fill(ptr %p) {
  store float 1.0, ptr %p
  ret void
}
define internal float @twice(ptr %p) {
  %v = load float, ptr %p
  %d = fadd float %v, %v
  ret float %d
}
define void @k(ptr %a, ptr %b) {
  %value = alloca float
)";
  const std::string end = R"(
  %d = call float @twice(ptr %value)
  store float %d, ptr %a
  ret void
})";
  EXPECT_EQ(watched(text + "call void @fill(ptr %value)" + end), Names{});
  EXPECT_EQ(watched(text + end), (Names{"value", "value"}));  // both operands
}

TEST(MarkUnsetVariables, watches_no_result_that_nobody_looks_at) {
  EXPECT_EQ(watched(std::string(kTypes) + R"(
define void @k(ptr %a, ptr %b) {
  %first = alloca %pair
  %p = getelementptr i8, ptr %first, i64 4
  store float 1.0, ptr %first
  %x = load float, ptr %first
  %y = load float, ptr %p
  %dead = fmul float %y, 2.0
  store float %dead, ptr %p
  store float %x, ptr %a
  ret void
})"),
            Names{});
}

TEST(MarkUnsetVariables, asks_other_lanes_about_what_they_hand_over) {
  EXPECT_EQ(watched(std::string(kTypes) + R"(
define void @k(ptr %a, ptr %b) {
  %value = alloca i32
  %v = load i32, ptr %value
  %handed = call i32 @assay.simd.shuffle.i32(i32 %v, i32 0)
  ret void
})"),
            Names{});
  EXPECT_EQ(watched(std::string(kTypes) + R"(
define void @k(ptr %a, ptr %b) {
  %value = alloca i32
  %v = load i32, ptr %value
  %handed = call i32 @assay.simd.shuffle.i32(i32 %v, i32 0)
  store i32 %handed, ptr %a
  ret void
})"),
            Names{"value"});
}

TEST(MarkUnsetVariables, follows_elements_of_arrays_at_run_time) {
  EXPECT_EQ(watched(R"(
define void @k(ptr %a, ptr %b) {
  %list = alloca [5 x float]
  %i = load i32, ptr %b
  %p = getelementptr [5 x float], ptr %list, i32 0, i32 %i
  store float 1.0, ptr %p
  %q = getelementptr [5 x float], ptr %list, i32 0, i32 3
  %v = load float, ptr %q
  store float %v, ptr %a
  ret void
})"),
            Names{"list"});
}

TEST(MarkUnsetVariables, leaves_unions_and_kept_addresses_alone) {
  EXPECT_EQ(watched(R"(
%union.bits = type { i32 }
define void @k(ptr %a, ptr %b) {
  %bits = alloca %union.bits
  %value = alloca i32
  store ptr %value, ptr %b
  %u = load i32, ptr %bits
  %v = load i32, ptr %value
  %s = add i32 %u, %v
  store i32 %s, ptr %a
  ret void
})"),
            Names{});
}

}  // namespace
}  // namespace assay::codegen
