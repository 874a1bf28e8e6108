// Which branches out of a loop stay part of it.
#include "codegen/passes/hold_loop_exits.h"

#include <gtest/gtest.h>

#include "codegen/intrinsics.h"
#include "codegen/testing/pass_fixture.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

namespace assay::codegen {
namespace {

// `for (i = 0; i != n; ++i) if (i == m) { WORK; LEAVE }` as clang writes it.
std::string loop_text(const std::string& work, const std::string& leave) {
  return R"(
declare i32 @assay.simd.ballot(i32)
declare void @assay.barrier.threadgroup(i32)
define i32 @vote(i32 %v) { %b = call i32 @assay.simd.ballot(i32 %v) ret i32 %b }
define void @k(i32 %n, i32 %m) {
entry:
  %i = alloca i32
  store i32 0, ptr %i
  br label %for.cond
for.cond:
  %0 = load i32, ptr %i
  %more = icmp ne i32 %0, %n
  br i1 %more, label %for.body, label %for.end
for.body:
  %1 = load i32, ptr %i
  %same = icmp eq i32 %1, %m
  br i1 %same, label %if.then, label %if.end
if.then:
  )" + work +
         R"(
  br label %)" +
         leave + R"(
if.end:
  br label %for.inc
for.inc:
  %2 = load i32, ptr %i
  %3 = add i32 %2, 1
  store i32 %3, ptr %i
  br label %for.cond
for.end:
  br label %return
return:
  ret void
})";
}

bool is_in_loop(testing::PassFixture& fixture, llvm::StringRef name) {
  llvm::Function& function = *fixture.module().getFunction("k");
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  for (llvm::BasicBlock& block : function) {
    if (block.getName() == name) return loops.getLoopFor(&block) != nullptr;
  }
  ADD_FAILURE() << "no block " << name.str();
  return false;
}

bool holds(const std::string& work, const std::string& leave) {
  testing::PassFixture fixture(loop_text(work, leave));
  EXPECT_EQ(fixture.run({{"hold-loop-exits", hold_loop_exits}}), "");
  EXPECT_FALSE(is_in_loop(fixture, "for.end"));
  EXPECT_FALSE(is_in_loop(fixture, "return"));
  return is_in_loop(fixture, "if.then");
}

TEST(HoldLoopExits, keeps_a_branch_that_works_across_lanes) {
  EXPECT_TRUE(holds("%b = call i32 @assay.simd.ballot(i32 1)", "for.end"));
  EXPECT_TRUE(holds("%b = call i32 @assay.simd.ballot(i32 1)", "return"));
  EXPECT_TRUE(holds("%b = call i32 @vote(i32 1)", "for.end"));
}

TEST(HoldLoopExits, leaves_other_branches_alone) {
  EXPECT_FALSE(holds("%b = add i32 %n, 1", "for.end"));
  EXPECT_FALSE(holds("call void @assay.barrier.threadgroup(i32 1)", "return"));
}

TEST(HoldLoopExits, follows_a_branch_through_a_loop_of_its_own) {
  testing::PassFixture fixture(loop_text(R"(br label %for.cond7
for.cond7:
  %b = call i32 @assay.simd.ballot(i32 1)
  %again = icmp ugt i32 %b, 5
  br i1 %again, label %for.cond7, label %for.end8
for.end8:)",
                                         "for.end"));
  EXPECT_EQ(fixture.run({{"hold-loop-exits", hold_loop_exits}}), "");
  EXPECT_TRUE(is_in_loop(fixture, "for.end8"));
  EXPECT_FALSE(is_in_loop(fixture, "for.end"));
}

TEST(HoldLoopExits, keeps_a_branch_that_returns_by_itself) {
  std::string text =
      loop_text("%b = call i32 @assay.simd.ballot(i32 1)\n  ret void\nunused:", "return");
  testing::PassFixture fixture(text);
  EXPECT_EQ(fixture.run({{"hold-loop-exits", hold_loop_exits}}), "");
  EXPECT_TRUE(is_in_loop(fixture, "if.then"));
}

TEST(HoldLoopExits, lets_go_in_the_end) {
  testing::PassFixture fixture(loop_text("%b = call i32 @assay.simd.ballot(i32 1)", "for.end"));
  EXPECT_EQ(fixture.run(
                {{"hold-loop-exits", hold_loop_exits}, {"release-loop-exits", release_loop_exits}}),
            "");
  EXPECT_EQ(fixture.text().find("assay.loop.held"), std::string::npos);
  EXPECT_NE(fixture.text().find("br i1 true, label %for.end"), std::string::npos) << fixture.text();
}

}  // namespace
}  // namespace assay::codegen
