// Which stores get a yield in front of them, and which ones go without.
#include "codegen/passes/insert_yields.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "codegen/intrinsics.h"
#include "codegen/testing/pass_fixture.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

// %t is the thread's index, %sh and %other are variables of 1024 floats, both in use.
std::string kernel_text(const std::string& body) {
  return R"(
declare ptr @assay.threadgroup.memory(i32, i64, i64)
declare void @assay.barrier.threadgroup(i32)
declare i32 @assay.lane()
define void @k(ptr %out, i32 %t) {
entry:
  %sh = call ptr @assay.threadgroup.memory(i32 0, i64 4096, i64 4)
  %other = call ptr @assay.threadgroup.memory(i32 1, i64 4096, i64 4)
  %mine = getelementptr float, ptr %sh, i32 %t
  %mine.other = getelementptr float, ptr %other, i32 %t
  store float 1.0, ptr %mine
  store float 2.0, ptr %mine.other
  call void @assay.barrier.threadgroup(i32 1)
)" + body +
         R"(
  call void @assay.barrier.threadgroup(i32 1)
  %last = load float, ptr %mine
  %last.other = load float, ptr %mine.other
  %sum = fadd float %last, %last.other
  store float %sum, ptr %out
  ret void
})";
}

// The blocks with a yield, in order.
std::string yields_of(const std::string& body) {
  testing::PassFixture fixture(
      kernel_text(body),
      testing::kernel_info(
          {testing::buffer("out", 0),
           testing::attribute(kernel::ThreadAttribute::kThreadIndexInThreadgroup)}));
  EXPECT_EQ(fixture.run_until("form-coroutine"), "");
  std::string blocks;
  for (const llvm::Instruction& instruction : llvm::instructions(*fixture.build().entry)) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (!intrinsic || intrinsic->kind != IntrinsicKind::kYield) continue;
    std::string block = instruction.getParent()->getName().str();
    blocks += (blocks.empty() ? "" : " ") + block.substr(0, block.find(".i"));
  }
  return blocks;
}

TEST(InsertYields, protects_an_element_that_everybody_reads) {
  EXPECT_EQ(yields_of(R"(
  %v = load float, ptr %sh
  %first = icmp eq i32 %t, 0
  br i1 %first, label %write, label %join
write:
  %w = fadd float %v, 1.0
  store float %w, ptr %sh
  br label %join
join:)"),
            "write");
}

TEST(InsertYields, yields_once_for_several_stores) {
  std::string blocks = yields_of(R"(
  %lane = call i32 @assay.lane()
  %p = getelementptr float, ptr %sh, i32 %lane
  %v = load float, ptr %p
  store float %v, ptr %mine
  %q = getelementptr float, ptr %mine, i32 512
  store float %v, ptr %q)");
  EXPECT_EQ(std::count(blocks.begin(), blocks.end(), ' '), 0) << blocks;
  EXPECT_NE(blocks, "");
}

TEST(InsertYields, is_silent_behind_a_barrier) {
  EXPECT_EQ(yields_of(R"(
  %v = load float, ptr %sh
  call void @assay.barrier.threadgroup(i32 1)
  store float %v, ptr %mine)"),
            "");
}

TEST(InsertYields, is_silent_for_elements_of_the_thread_itself) {
  EXPECT_EQ(yields_of(R"(
  %v = load float, ptr %mine
  %w = fadd float %v, 1.0
  store float %w, ptr %mine)"),
            "");
  // Two neighbouring elements of each thread.
  EXPECT_EQ(yields_of(R"(
  %even = shl i32 %t, 1
  %p = getelementptr float, ptr %sh, i32 %even
  %q = getelementptr float, ptr %p, i32 1
  %v = load float, ptr %q
  store float %v, ptr %p)"),
            "");
  // The same, one element further: that of the next thread.
  EXPECT_NE(yields_of(R"(
  %even = shl i32 %t, 1
  %p = getelementptr float, ptr %sh, i32 %even
  %q = getelementptr float, ptr %p, i32 2
  %v = load float, ptr %q
  store float %v, ptr %p)"),
            "");
}

TEST(InsertYields, is_silent_between_two_variables) {
  EXPECT_EQ(yields_of(R"(
  %v = load float, ptr %sh
  store float %v, ptr %mine.other)"),
            "");
}

// Elements below `half` are written, those from `half` on are read.
TEST(InsertYields, is_silent_in_the_rounds_of_a_tree) {
  const std::string tree = R"(
  br label %head
head:
  %half = phi i32 [512, %entry], [%next, %join]
  %works = icmp ult i32 %t, BOUND
  br i1 %works, label %add, label %join
add:
  %far = add i32 %t, %half
  %p = getelementptr float, ptr %sh, i32 %far
  %v = load float, ptr %p
  %own = load float, ptr %mine
  %s = fadd float %v, %own
  store float %s, ptr %mine
  br label %join
join:
  call void @assay.barrier.threadgroup(i32 1)
  %next = lshr i32 %half, 1
  %more = icmp ugt i32 %half, 1
  br i1 %more, label %head, label %end
end:)";
  auto with_bound = [&](const std::string& bound) {
    std::string text = tree;
    return text.replace(text.find("BOUND"), 5, bound);
  };
  EXPECT_EQ(yields_of(with_bound("%half")), "");
  EXPECT_EQ(yields_of(with_bound("700")), "add");
}

TEST(InsertYields, stays_out_of_loops_without_barriers) {
  EXPECT_EQ(yields_of(R"(
  %v = load float, ptr %sh
  br label %before
before:
  %some = icmp ult i32 %t, 900
  br i1 %some, label %ahead, label %end
ahead:
  call void asm sideeffect "", ""()
  br label %head
head:
  %i = phi i32 [%t, %ahead], [%next, %head]
  %p = getelementptr float, ptr %sh, i32 %i
  store float %v, ptr %p
  %next = add i32 %i, 32
  %more = icmp ult i32 %next, 1000
  br i1 %more, label %head, label %end
end:)"),
            "ahead");
}

}  // namespace
}  // namespace assay::codegen
