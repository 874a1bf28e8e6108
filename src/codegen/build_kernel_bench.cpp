// How long a build takes from bitcode to object, for a kernel without and one with suspend points.
#include "codegen/build_kernel.h"

#include <benchmark/benchmark.h>

#include "codegen/testing/build_text.h"

namespace assay::codegen {
namespace {

const char* const kAxpy = R"(
define void @k(ptr %x, ptr %y, ptr %a, i32 %i) {
  %w = zext i32 %i to i64
  %px = getelementptr float, ptr %x, i64 %w
  %py = getelementptr float, ptr %y, i64 %w
  %av = load float, ptr %a
  %xv = load float, ptr %px
  %yv = load float, ptr %py
  %m = fmul float %av, %xv
  %s = fadd float %m, %yv
  store float %s, ptr %py
  ret void
})";

const char* const kTreeSum = R"(
declare void @assay.barrier.threadgroup(i32)
define void @k(ptr %x, ptr %y, ptr %shared, i32 %t) {
entry:
  %w = zext i32 %t to i64
  %from = getelementptr i32, ptr %x, i64 %w
  %mine = getelementptr i32, ptr %shared, i64 %w
  %v = load i32, ptr %from
  store i32 %v, ptr %mine
  call void @assay.barrier.threadgroup(i32 1)
  br label %head
head:
  %step = phi i32 [128, %entry], [%half, %next]
  %more = icmp ne i32 %step, 0
  br i1 %more, label %body, label %done
body:
  %works = icmp ult i32 %t, %step
  br i1 %works, label %add, label %next
add:
  %other = add i32 %t, %step
  %wo = zext i32 %other to i64
  %theirs = getelementptr i32, ptr %shared, i64 %wo
  %a = load i32, ptr %mine
  %b = load i32, ptr %theirs
  %sum = add i32 %a, %b
  store i32 %sum, ptr %mine
  br label %next
next:
  call void @assay.barrier.threadgroup(i32 1)
  %half = lshr i32 %step, 1
  br label %head
done:
  %first = load i32, ptr %shared
  %to = getelementptr i32, ptr %y, i64 %w
  store i32 %first, ptr %to
  ret void
})";

void run_builds(benchmark::State& state, const char* text, const kernel::Argument& third) {
  std::string bitcode = testing::to_bitcode(text);
  kernel::KernelInfo info =
      testing::kernel_info({testing::buffer("x", 0), testing::buffer("y", 1), third,
                            testing::attribute(kernel::ThreadAttribute::kThreadPositionInGrid)});
  for (auto _ : state) {
    Result<BuildOutput> output = build_cpu_kernel(bitcode, info, {}, {}, BuildOptions{});
    if (!output) return state.SkipWithError(output.error().message.c_str());
    benchmark::DoNotOptimize(output);
  }
}

void build_plain_kernel(benchmark::State& state) {
  run_builds(state, kAxpy, testing::buffer("a", 2));
}
BENCHMARK(build_plain_kernel)->Unit(benchmark::kMillisecond);

void build_kernel_with_barriers(benchmark::State& state) {
  run_builds(state, kTreeSum, testing::threadgroup_memory("shared", 0));
}
BENCHMARK(build_kernel_with_barriers)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace assay::codegen
