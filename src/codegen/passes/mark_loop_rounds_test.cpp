// Which loops get a meeting point, and that `continue` leads to it.
#include "codegen/passes/mark_loop_rounds.h"

#include <gtest/gtest.h>

#include "codegen/intrinsics.h"
#include "codegen/testing/pass_fixture.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

const std::string kDeclarations = R"(
declare i32 @assay.simd.ballot(i32)
declare void @assay.barrier.threadgroup(i32)
)";

int count_rounds(testing::PassFixture& fixture, const char* function) {
  int count = 0;
  for (llvm::Instruction& instruction :
       llvm::instructions(*fixture.module().getFunction(function))) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    count += intrinsic && intrinsic->kind == IntrinsicKind::kLoopRound;
  }
  return count;
}

TEST(MarkLoopRounds, joins_all_ways_back_into_one_round) {
  testing::PassFixture fixture(kDeclarations + R"(
define void @k(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [0, %entry], [%i1, %skip], [%i2, %work]
  %b = call i32 @assay.simd.ballot(i32 %i)
  %done = icmp ugt i32 %b, %n
  br i1 %done, label %end, label %body
body:
  %odd = trunc i32 %i to i1
  br i1 %odd, label %skip, label %work
skip:
  %i1 = add i32 %i, 1
  br label %head
work:
  %i2 = add i32 %i, 3
  br label %head
end:
  ret void
})");
  EXPECT_EQ(fixture.run({{"mark-loop-rounds", mark_loop_rounds}}), "");
  EXPECT_EQ(count_rounds(fixture, "k"), 1);
  for (llvm::BasicBlock& block : *fixture.module().getFunction("k")) {
    if (block.getName() != "skip" && block.getName() != "work") continue;
    EXPECT_TRUE(find_intrinsic(*block.getSingleSuccessor()->getFirstNonPHI())) << fixture.text();
  }
}

TEST(MarkLoopRounds, marks_a_loop_around_a_call_that_works_across_lanes) {
  testing::PassFixture fixture(kDeclarations + R"(
define i32 @vote(i32 %v) { %b = call i32 @assay.simd.ballot(i32 %v) ret i32 %b }
define void @k(i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [0, %entry], [%next, %body]
  %b = call i32 @vote(i32 %i)
  %next = add i32 %i, %b
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  ret void
})");
  EXPECT_EQ(fixture.run({{"mark-loop-rounds", mark_loop_rounds}}), "");
  EXPECT_EQ(count_rounds(fixture, "k"), 1);
}

TEST(MarkLoopRounds, leaves_loops_with_only_barriers_alone) {
  testing::PassFixture fixture(kDeclarations + R"(
define void @k(i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [0, %entry], [%next, %body]
  call void @assay.barrier.threadgroup(i32 1)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  %b = call i32 @assay.simd.ballot(i32 %n)
  ret void
})");
  EXPECT_EQ(fixture.run({{"mark-loop-rounds", mark_loop_rounds}}), "");
  EXPECT_EQ(count_rounds(fixture, "k"), 0);
}

}  // namespace
}  // namespace assay::codegen
