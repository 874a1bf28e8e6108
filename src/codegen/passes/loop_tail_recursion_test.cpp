// Self-recursion at the end of a function disappears; other recursion stays and is reported.
#include "codegen/passes/loop_tail_recursion.h"

#include <gtest/gtest.h>

#include "codegen/testing/build_text.h"
#include "codegen/testing/simple_executor.h"

namespace assay::codegen {
namespace {

TEST(LoopTailRecursion, runs_a_function_that_ends_by_calling_itself) {
  // Takes `n` steps of at most 7 and counts them, as unoptimised front-end output writes it.
  BuildOutput output = testing::build(
      R"(
define void @advance(ptr %counter, i32 %n) {
entry:
  %slot = alloca i32
  store i32 %n, ptr %slot
  %old = load i32, ptr %counter
  %new = add i32 %old, 1
  store i32 %new, ptr %counter
  %left = load i32, ptr %slot
  %more = icmp sgt i32 %left, 7
  br i1 %more, label %again, label %end
again:
  %now = load i32, ptr %slot
  %rest = sub i32 %now, 7
  call void @advance(ptr %counter, i32 %rest)
  br label %end
end:
  ret void
}
define void @k(ptr %out, i32 %i) {
  %w = zext i32 %i to i64
  %slot = getelementptr i32, ptr %out, i64 %w
  call void @advance(ptr %slot, i32 %i)
  ret void
})",
      testing::kernel_info({testing::buffer("out", 0),
                            testing::attribute(kernel::ThreadAttribute::kThreadPositionInGrid)}));
  std::vector<uint32_t> out(50, 0);
  testing::run(output.image,
               {.grid = {50, 1, 1}, .threadgroup = {16, 1, 1}, .buffers = {out.data()}});
  for (uint32_t i = 0; i < 50; ++i) EXPECT_EQ(out[i], i <= 7 ? 1 : (i + 6) / 7) << i;
}

TEST(LoopTailRecursion, leaves_recursion_that_has_work_to_do_afterwards) {
  std::string error = testing::build_error(R"(
define i32 @_ZNU9CLprivate4Tree5depthEPU8CLglobali(ptr %p) {
  %n = load volatile i32, ptr %p
  %r = call i32 @_ZNU9CLprivate4Tree5depthEPU8CLglobali(ptr %p)
  %s = sdiv i32 %r, %n
  ret i32 %s
}
define void @k(ptr %p) {
  %r = call i32 @_ZNU9CLprivate4Tree5depthEPU8CLglobali(ptr %p)
  store i32 %r, ptr %p
  ret void
})",
                                           testing::kernel_info({testing::buffer("p", 0)}));
  EXPECT_NE(error.find("'Tree::depth(int device*)' calls 'Tree::depth(int device*)'"),
            std::string::npos)
      << error;
}

}  // namespace
}  // namespace assay::codegen
