// What becomes part of the kernel, what stays a function, and where inlining stops.
#include "codegen/passes/inline_calls.h"

#include <gtest/gtest.h>

#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

const std::string kDeclarations = "declare void @assay.barrier.threadgroup(i32)\n";
const std::vector<Pass> kPasses = {{"inline-calls", inline_calls}};

TEST(InlineCalls, brings_every_barrier_into_the_kernel) {
  testing::PassFixture fixture(kDeclarations + R"(
define void @inner() noinline optnone { call void @assay.barrier.threadgroup(i32 1) ret void }
define void @outer() noinline { call void @inner() call void @inner() ret void }
define void @k() { call void @outer() ret void })");
  EXPECT_EQ(fixture.run(kPasses), "");
  EXPECT_EQ(fixture.module().getFunction("inner"), nullptr);
  EXPECT_EQ(fixture.module().getFunction("outer"), nullptr);
  EXPECT_EQ(fixture.build().kernel->getInstructionCount(), 3u) << fixture.text();
}

TEST(InlineCalls, leaves_ordinary_functions_to_llvm) {
  testing::PassFixture fixture(R"(
define void @plain(ptr %p) noinline { store i32 1, ptr %p ret void }
define void @always(ptr %p) alwaysinline { store i32 2, ptr %p ret void }
define void @k(ptr %p) { call void @plain(ptr %p) call void @always(ptr %p) ret void })");
  EXPECT_EQ(fixture.run(kPasses), "");
  EXPECT_NE(fixture.module().getFunction("plain"), nullptr);
  EXPECT_EQ(fixture.module().getFunction("always"), nullptr);
}

TEST(InlineCalls, follows_pointers_that_simplification_resolves) {
  testing::PassFixture fixture(kDeclarations + R"(
define void @target() { call void @assay.barrier.threadgroup(i32 1) ret void }
define void @call_it(ptr %f) { call void %f() ret void }
define void @k() {
  %slot = alloca ptr
  store ptr @target, ptr %slot
  %f = load ptr, ptr %slot
  call void %f()
  ret void
})");
  EXPECT_EQ(fixture.run(kPasses), "");
  EXPECT_EQ(fixture.module().getFunction("target"), nullptr) << fixture.text();
}

TEST(InlineCalls, reports_barriers_behind_pointers_that_stay) {
  testing::PassFixture fixture(kDeclarations + R"(
define void @_Z6targetv() { call void @assay.barrier.threadgroup(i32 1) ret void }
define void @other() { ret void }
define void @k(i1 %which) {
  %f = select i1 %which, ptr @_Z6targetv, ptr @other
  call void %f()
  ret void
})");
  EXPECT_EQ(fixture.run(kPasses),
            "[compile] kernel 'k': function 'target()' uses barriers, simdgroup functions or "
            "threadgroup variables and is called through a pointer; call it directly");
}

TEST(InlineCalls, stops_at_the_instruction_limit_when_code_doubles_at_every_level) {
  std::string text = kDeclarations +
                     "define void @f0() { call void @assay.barrier.threadgroup(i32 1) ret void }\n";
  for (int i = 1; i <= 60; ++i) {
    std::string callee = "@f" + std::to_string(i - 1);
    text += "define void @f" + std::to_string(i) + "() { call void " + callee + "() call void " +
            callee + "() ret void }\n";
  }
  testing::PassFixture fixture(text + "define void @k() { call void @f60() ret void }");
  fixture.options().instruction_limit = 10'000;
  EXPECT_EQ(fixture.run(kPasses),
            "[compile] kernel 'k': the kernel and the functions it calls grow beyond the limit of "
            "10000 instructions; split the kernel or unroll less");
}

}  // namespace
}  // namespace assay::codegen
