// The numbering order of suspend points.
#include "codegen/passes/suspend_order.h"

#include <gtest/gtest.h>

#include "codegen/testing/build_text.h"
#include "llvm/IR/Dominators.h"

namespace assay::codegen {
namespace {

std::string order_of(const std::string& text) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = testing::parse_text(text, context);
  llvm::Function& function = *module->getFunction("k");
  llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  std::string names;
  for (llvm::BasicBlock* block : suspend_order(function, loops)) {
    names += (names.empty() ? "" : " ") + block->getName().str();
  }
  return names;
}

TEST(SuspendOrder, puts_a_join_after_both_branches) {
  std::string order = order_of(R"(
define void @k(i1 %c) {
entry:
  br i1 %c, label %a, label %b
join:
  ret void
b:
  br label %join
a:
  br label %join
})");
  EXPECT_TRUE(order == "entry a b join" || order == "entry b a join") << order;
}

TEST(SuspendOrder, ends_with_the_end_beside_a_loop_that_has_none) {
  for (const char* branches : {"label %enter, label %exit", "label %exit, label %enter"}) {
    EXPECT_EQ(order_of(std::string(R"(
define void @k(i1 %c) {
entry:
  br i1 %c, )") + branches +
                       R"(
enter:
  br label %loop
loop:
  br label %loop
exit:
  ret void
})"),
              "entry enter loop exit");
  }
}

// A plain reverse post-order puts `exit` between the blocks of this loop: `early` leaves it while
// `late` and `latch` are still to come.
TEST(SuspendOrder, keeps_a_loop_together_when_it_has_an_early_exit) {
  for (const char* branches : {"label %early, label %late", "label %late, label %early"}) {
    std::string order = order_of(std::string(R"(
define void @k(i1 %c) {
entry:
  br label %head
head:
  br i1 %c, )") + branches + R"(
early:
  br i1 %c, label %exit, label %latch
late:
  br label %latch
latch:
  br label %head
exit:
  ret void
})");
    EXPECT_TRUE(order == "entry head early late latch exit" ||
                order == "entry head late early latch exit")
        << order;
  }
}

TEST(SuspendOrder, nests_loops) {
  std::string order = order_of(R"(
define void @k(i1 %c) {
entry:
  br label %outer
outer:
  br i1 %c, label %after, label %inner
inner:
  br i1 %c, label %second, label %inner_latch
inner_latch:
  br i1 %c, label %inner, label %second
second:
  br label %outer_latch
outer_latch:
  br label %outer
after:
  ret void
})");
  EXPECT_EQ(order, "entry outer inner inner_latch second outer_latch after");
}

}  // namespace
}  // namespace assay::codegen
