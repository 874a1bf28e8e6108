// Cycles are found wherever they are, and only cycles.
#include "codegen/passes/reject_recursion.h"

#include <gtest/gtest.h>

#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

std::string check(const std::string& text) {
  return testing::PassFixture(text).run({{"reject-recursion", reject_recursion}});
}

TEST(RejectRecursion, names_every_function_of_a_cycle_as_written) {
  std::string error = check(R"(
define void @_Z5firstv() { call void @_Z6secondv() ret void }
define void @_Z6secondv() { call void @_Z5thirdv() ret void }
define void @_Z5thirdv() { call void @_Z6secondv() ret void }
define void @k() { call void @_Z5firstv() ret void })");
  EXPECT_EQ(
      error,
      "[compile] kernel 'k': Metal does not allow recursion: 'second()' calls 'third()' calls "
      "'second()'; write it as a loop, or as a template whose depth is known at compile time");
}

TEST(RejectRecursion, finds_a_function_that_calls_itself) {
  EXPECT_NE(check(R"(
define i32 @f(i32 %n) { %r = call i32 @f(i32 %n) ret i32 %r }
define void @k() { %r = call i32 @f(i32 3) ret void })")
                .find("'f' calls 'f'"),
            std::string::npos);
}

TEST(RejectRecursion, accepts_functions_that_are_reached_on_several_ways) {
  EXPECT_EQ(check(R"(
define void @leaf() { ret void }
define void @left() { call void @leaf() ret void }
define void @right() { call void @leaf() call void @left() ret void }
define void @k() { call void @left() call void @right() call void @leaf() ret void })"),
            "");
}

TEST(RejectRecursion, ignores_recursion_that_the_kernel_does_not_reach) {
  EXPECT_EQ(check(R"(
define void @f() { call void @f() ret void }
define void @other() { call void @f() ret void }
define void @k() { ret void })"),
            "");
}

}  // namespace
}  // namespace assay::codegen
