// Kernels written in IR, built and run: what the passes promise together, optimised and not.
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <vector>

#include "codegen/build_kernel.h"
#include "codegen/testing/build_text.h"
#include "codegen/testing/simple_executor.h"

namespace assay::codegen {
namespace {

using kernel::ExecutionForm;
using kernel::ThreadAttribute;
using testing::attribute;
using testing::buffer;
using testing::kernel_info;
using testing::Launch;
using testing::run;
using testing::threadgroup_memory;

const std::string kDeclarations = R"(
%uint3 = type { i32, i32, i32, i32 }
declare i32 @assay.lane() convergent
declare void @assay.barrier.threadgroup(i32) convergent
declare void @assay.barrier.simdgroup(i32) convergent
declare i32 @assay.simd.shuffle.i32(i32, i32) convergent
declare i64 @assay.simd.shuffle.i64(i64, i32) convergent
declare i32 @assay.simd.ballot(i32) convergent
declare i32 @assay.simd.reduce.add.u32(i32, i32) convergent
declare float @assay.simd.reduce.add.f32(float, i32) convergent
declare i64 @assay.simd.reduce.max.i64(i64, i32) convergent
declare i32 @assay.simd.scan.add.u32(i32, i32, i32) convergent
declare void @assay.simd.matmul.f32(float, float, float, float, float, float, ptr) convergent
declare ptr @assay.threadgroup.memory(i32, i64, i64)
)";

class Execution : public ::testing::TestWithParam<unsigned> {
 protected:
  BuildOutput build(const std::string& text, const kernel::KernelInfo& info) {
    return testing::build(kDeclarations + text, info, testing::checked_options(GetParam()));
  }
};

INSTANTIATE_TEST_SUITE_P(Optimisation, Execution, ::testing::Values(0u, 1u, 2u, 3u),
                         [](const auto& info) { return "O" + std::to_string(info.param); });

TEST_P(Execution, plain_kernel_runs_every_thread_of_a_3d_grid_with_partial_groups) {
  BuildOutput output =
      build(R"(
define void @k(ptr %out, ptr byval(%uint3) align 16 %position, ptr byval(%uint3) align 16 %grid) {
  %x = load i32, ptr %position
  %py = getelementptr i32, ptr %position, i64 1
  %y = load i32, ptr %py
  %pz = getelementptr i32, ptr %position, i64 2
  %z = load i32, ptr %pz
  %gx = load i32, ptr %grid
  %pgy = getelementptr i32, ptr %grid, i64 1
  %gy = load i32, ptr %pgy
  %zy = mul i32 %z, %gy
  %row = add i32 %zy, %y
  %start = mul i32 %row, %gx
  %index = add i32 %start, %x
  %wide = zext i32 %index to i64
  %slot = getelementptr i32, ptr %out, i64 %wide
  %old = load i32, ptr %slot
  %value = add i32 %index, 1
  %new = add i32 %old, %value
  store i32 %new, ptr %slot
  store i32 999, ptr %position
  ret void
})",
            kernel_info({buffer("out", 3), attribute(ThreadAttribute::kThreadPositionInGrid, 3),
                         attribute(ThreadAttribute::kGridSize, 3)}));
  EXPECT_EQ(output.image.form, ExecutionForm::kPlain);
  std::vector<uint32_t> out(7 * 5 * 3 + 1, 1000);
  run(output.image,
      {.grid = {7, 5, 3}, .threadgroup = {4, 2, 2}, .buffers = {0, 0, 0, out.data()}});
  for (uint32_t i = 0; i < 7 * 5 * 3; ++i) EXPECT_EQ(out[i], 1000 + i + 1) << i;
  EXPECT_EQ(out.back(), 1000u);
}

TEST_P(Execution, barrier_in_a_loop_makes_stores_of_other_threads_visible) {
  // A tree sum over 64 values in static threadgroup memory.
  BuildOutput output = build(R"(
define void @k(ptr %in, ptr %out, i32 %t) {
entry:
  %shared = call ptr @assay.threadgroup.memory(i32 0, i64 256, i64 4)
  %wide = zext i32 %t to i64
  %from = getelementptr i32, ptr %in, i64 %wide
  %mine = getelementptr i32, ptr %shared, i64 %wide
  %v = load i32, ptr %from
  store i32 %v, ptr %mine
  call void @assay.barrier.threadgroup(i32 1)
  br label %head
head:
  %step = phi i32 [32, %entry], [%half, %next]
  %more = icmp ne i32 %step, 0
  br i1 %more, label %body, label %done
body:
  %works = icmp ult i32 %t, %step
  br i1 %works, label %add, label %next
add:
  %other = add i32 %t, %step
  %wideother = zext i32 %other to i64
  %theirs = getelementptr i32, ptr %shared, i64 %wideother
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
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 %first, ptr %to
  ret void
})",
                             kernel_info({buffer("in", 0), buffer("out", 1),
                                          attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  EXPECT_EQ(output.image.form, ExecutionForm::kResumable);
  EXPECT_EQ(output.image.info.static_threadgroup_bytes, 256u);
  std::vector<uint32_t> in(64), out(64);
  for (uint32_t i = 0; i < 64; ++i) in[i] = i * i + 7;
  run(output.image,
      {.grid = {64, 1, 1}, .threadgroup = {64, 1, 1}, .buffers = {in.data(), out.data()}});
  uint32_t expected = std::accumulate(in.begin(), in.end(), 0u);
  for (uint32_t value : out) EXPECT_EQ(value, expected);
}

TEST_P(Execution, threads_that_return_early_do_not_hold_up_a_barrier) {
  BuildOutput output =
      build(R"(
define void @k(ptr %out, i32 %t) {
  %late = icmp ugt i32 %t, 36
  br i1 %late, label %leave, label %stay
leave:
  ret void
stay:
  %shared = call ptr @assay.threadgroup.memory(i32 0, i64 148, i64 4)
  %wide = zext i32 %t to i64
  %mine = getelementptr i32, ptr %shared, i64 %wide
  store i32 %t, ptr %mine
  call void @assay.barrier.threadgroup(i32 1)
  %mirror = sub i32 36, %t
  %widemirror = zext i32 %mirror to i64
  %theirs = getelementptr i32, ptr %shared, i64 %widemirror
  %v = load i32, ptr %theirs
  %to = getelementptr i32, ptr %out, i64 %wide
  store i32 %v, ptr %to
  ret void
})",
            kernel_info({buffer("out", 0), attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  EXPECT_EQ(output.image.info.static_threadgroup_bytes, 160u);
  std::vector<uint32_t> out(50, 77);
  run(output.image, {.grid = {50, 1, 1}, .threadgroup = {50, 1, 1}, .buffers = {out.data()}});
  for (uint32_t i = 0; i < 50; ++i) EXPECT_EQ(out[i], i > 36 ? 77 : 36 - i);
}

TEST_P(Execution, cross_lane_operations_see_only_active_lanes) {
  // Odd lanes of a partial simdgroup reduce, ballot and shuffle; then all lanes reduce.
  BuildOutput output =
      build(R"(
define void @k(ptr %out, i32 %t) {
entry:
  %odd = and i32 %t, 1
  %isodd = icmp ne i32 %odd, 0
  %start = mul i32 %t, 4
  %wide = zext i32 %start to i64
  %slot = getelementptr i32, ptr %out, i64 %wide
  br i1 %isodd, label %some, label %all
some:
  %sum = call i32 @assay.simd.reduce.add.u32(i32 %t, i32 32)
  %mask = call i32 @assay.simd.ballot(i32 %t)
  %before = sub i32 %t, 2
  %lane = and i32 %before, 31
  %value = mul i32 %t, 10
  %moved = call i32 @assay.simd.shuffle.i32(i32 %value, i32 %lane)
  store i32 %sum, ptr %slot
  %s1 = getelementptr i32, ptr %slot, i64 1
  store i32 %mask, ptr %s1
  %s2 = getelementptr i32, ptr %slot, i64 2
  store i32 %moved, ptr %s2
  br label %all
all:
  %count = call i32 @assay.simd.reduce.add.u32(i32 1, i32 32)
  %s3 = getelementptr i32, ptr %slot, i64 3
  store i32 %count, ptr %s3
  ret void
})",
            kernel_info({buffer("out", 0), attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  std::vector<uint32_t> out(41 * 4, 5);
  run(output.image, {.grid = {41, 1, 1}, .threadgroup = {41, 1, 1}, .buffers = {out.data()}});
  for (uint32_t t = 0; t < 41; ++t) {
    uint32_t first = t / 32 * 32, last = std::min(first + 32, 41u);
    uint32_t sum = 0, mask = 0;
    for (uint32_t i = first; i < last; ++i) {
      if (i % 2 == 1) sum += i, mask |= 1u << (i % 32);
    }
    uint32_t source = (t - 2) % 32 + first;
    EXPECT_EQ(out[t * 4], t % 2 ? sum : 5) << t;
    EXPECT_EQ(out[t * 4 + 1], t % 2 ? mask : 5) << t;
    EXPECT_EQ(out[t * 4 + 2], t % 2 ? (source < last ? source : t) * 10 : 5) << t;
    EXPECT_EQ(out[t * 4 + 3], last - first) << t;
  }
}

TEST_P(Execution, lanes_meet_again_after_every_round_of_a_loop_with_continue) {
  // for (i = 0; i < lane % 5 + 1; ++i) { if ((lane + i) % 3 == 0) continue; total += active(); }
  BuildOutput output =
      build(R"(
define void @k(ptr %out, i32 %t) {
entry:
  %rest = urem i32 %t, 5
  %rounds = add i32 %rest, 1
  br label %head
head:
  %i = phi i32 [0, %entry], [%i1, %skip], [%i2, %work]
  %total = phi i32 [0, %entry], [%total, %skip], [%new, %work]
  %more = icmp ult i32 %i, %rounds
  br i1 %more, label %body, label %for.end
body:
  %sum = add i32 %t, %i
  %three = urem i32 %sum, 3
  %skips = icmp eq i32 %three, 0
  br i1 %skips, label %skip, label %work
skip:
  %i1 = add i32 %i, 1
  br label %head
work:
  %active = call i32 @assay.simd.reduce.add.u32(i32 1, i32 32)
  %scaled = mul i32 %total, 40
  %new = add i32 %scaled, %active
  %i2 = add i32 %i, 1
  br label %head
for.end:
  %all = call i32 @assay.simd.reduce.add.u32(i32 1, i32 32)
  %start = mul i32 %t, 2
  %wide = zext i32 %start to i64
  %slot = getelementptr i32, ptr %out, i64 %wide
  store i32 %total, ptr %slot
  %s1 = getelementptr i32, ptr %slot, i64 1
  store i32 %all, ptr %s1
  ret void
})",
            kernel_info({buffer("out", 0), attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  std::vector<uint32_t> out(32 * 2);
  run(output.image, {.grid = {32, 1, 1}, .threadgroup = {32, 1, 1}, .buffers = {out.data()}});
  std::vector<uint32_t> expected(32, 0);
  for (uint32_t i = 0; i < 5; ++i) {
    auto is_active = [&](uint32_t t) { return i < t % 5 + 1 && (t + i) % 3 != 0; };
    uint32_t active = 0;
    for (uint32_t t = 0; t < 32; ++t) active += is_active(t);
    for (uint32_t t = 0; t < 32; ++t) {
      if (is_active(t)) expected[t] = expected[t] * 40 + active;
    }
  }
  for (uint32_t t = 0; t < 32; ++t) {
    EXPECT_EQ(out[t * 2], expected[t]) << t;
    EXPECT_EQ(out[t * 2 + 1], 32u) << t;
  }
}

TEST_P(Execution, lanes_meet_again_in_nested_loops_inside_a_called_function) {
  // void f(n) { for (j < n) total = total * 7 + active(); }   for (i < 3) f((lane + i) % 4);
  BuildOutput output =
      build(R"(
define void @f(i32 %n, ptr %total) noinline {
entry:
  br label %head
head:
  %j = phi i32 [0, %entry], [%j1, %body]
  %more = icmp ult i32 %j, %n
  br i1 %more, label %body, label %done
body:
  %active = call i32 @assay.simd.reduce.add.u32(i32 1, i32 32)
  %old = load i32, ptr %total
  %scaled = mul i32 %old, 7
  %new = add i32 %scaled, %active
  store i32 %new, ptr %total
  %j1 = add i32 %j, 1
  br label %head
done:
  ret void
}
define void @k(ptr %out, i32 %t) {
entry:
  %total = alloca i32
  store i32 0, ptr %total
  br label %head
head:
  %i = phi i32 [0, %entry], [%i1, %body]
  %more = icmp ult i32 %i, 3
  br i1 %more, label %body, label %done
body:
  %sum = add i32 %t, %i
  %n = and i32 %sum, 3
  call void @f(i32 %n, ptr %total)
  %i1 = add i32 %i, 1
  br label %head
done:
  %wide = zext i32 %t to i64
  %slot = getelementptr i32, ptr %out, i64 %wide
  %result = load i32, ptr %total
  store i32 %result, ptr %slot
  ret void
})",
            kernel_info({buffer("out", 0), attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  std::vector<uint32_t> out(45);
  run(output.image, {.grid = {45, 1, 1}, .threadgroup = {45, 1, 1}, .buffers = {out.data()}});
  for (uint32_t first : {0u, 32u}) {
    uint32_t last = std::min(first + 32, 45u);
    std::vector<uint32_t> expected(45, 0);
    for (uint32_t i = 0; i < 3; ++i) {
      for (uint32_t j = 0; j < 3; ++j) {
        uint32_t active = 0;
        for (uint32_t t = first; t < last; ++t) active += j < ((t + i) & 3);
        for (uint32_t t = first; t < last; ++t) {
          if (j < ((t + i) & 3)) expected[t] = expected[t] * 7 + active;
        }
      }
    }
    for (uint32_t t = first; t < last; ++t) EXPECT_EQ(out[t], expected[t]) << t;
  }
}

TEST_P(Execution, private_array_keeps_its_contents_across_a_barrier) {
  BuildOutput output =
      build(R"(
define void @k(ptr %out, i32 %t) {
entry:
  %array = alloca [9 x i32], align 16
  br label %fill
fill:
  %i = phi i32 [0, %entry], [%i1, %fill]
  %wi = zext i32 %i to i64
  %slot = getelementptr i32, ptr %array, i64 %wi
  %scaled = mul i32 %i, 100
  %v = add i32 %scaled, %t
  store i32 %v, ptr %slot
  %i1 = add i32 %i, 1
  %more = icmp ult i32 %i1, 9
  br i1 %more, label %fill, label %wait
wait:
  call void @assay.barrier.threadgroup(i32 1)
  %which = urem i32 %t, 9
  %ww = zext i32 %which to i64
  %chosen = getelementptr i32, ptr %array, i64 %ww
  %c = load i32, ptr %chosen
  %wt = zext i32 %t to i64
  %to = getelementptr i32, ptr %out, i64 %wt
  store i32 %c, ptr %to
  ret void
})",
            kernel_info({buffer("out", 0), attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  std::vector<uint32_t> out(35);
  run(output.image, {.grid = {35, 1, 1}, .threadgroup = {35, 1, 1}, .buffers = {out.data()}});
  for (uint32_t t = 0; t < 35; ++t) EXPECT_EQ(out[t], t % 9 * 100 + t);
}

TEST_P(Execution, static_and_dynamic_threadgroup_memory_do_not_overlap) {
  BuildOutput output =
      build(R"(
define ptr @helper() {
  %shared = call ptr @assay.threadgroup.memory(i32 0, i64 20, i64 4)
  ret ptr %shared
}
define void @k(ptr %dynamic0, ptr %dynamic1, ptr %out, i32 %t) {
  %a = call ptr @assay.threadgroup.memory(i32 0, i64 17, i64 1)
  %b = call ptr @assay.threadgroup.memory(i32 1, i64 20, i64 16)
  %c = call ptr @helper()
  %w = zext i32 %t to i64
  %a1 = getelementptr i8, ptr %a, i64 %w
  %b1 = getelementptr i32, ptr %b, i64 %w
  %c1 = getelementptr i32, ptr %c, i64 %w
  %d1 = getelementptr i32, ptr %dynamic0, i64 %w
  %e1 = getelementptr i32, ptr %dynamic1, i64 %w
  store i8 1, ptr %a1
  store i32 20, ptr %b1
  store i32 300, ptr %c1
  store i32 4000, ptr %d1
  store i32 50000, ptr %e1
  call void @assay.barrier.threadgroup(i32 1)
  %next = add i32 %t, 1
  %r = urem i32 %next, 5
  %n = zext i32 %r to i64
  %a2 = getelementptr i8, ptr %a, i64 %n
  %b2 = getelementptr i32, ptr %b, i64 %n
  %same = call ptr @helper()
  %c2 = getelementptr i32, ptr %same, i64 %n
  %d2 = getelementptr i32, ptr %dynamic0, i64 %n
  %e2 = getelementptr i32, ptr %dynamic1, i64 %n
  %av = load i8, ptr %a2
  %aw = zext i8 %av to i32
  %bv = load i32, ptr %b2
  %cv = load i32, ptr %c2
  %dv = load i32, ptr %d2
  %ev = load i32, ptr %e2
  %s1 = add i32 %aw, %bv
  %s2 = add i32 %s1, %cv
  %s3 = add i32 %s2, %dv
  %s4 = add i32 %s3, %ev
  %to = getelementptr i32, ptr %out, i64 %w
  store i32 %s4, ptr %to
  ret void
})",
            kernel_info({threadgroup_memory("d0", 0), threadgroup_memory("d1", 1), buffer("out", 0),
                         attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  EXPECT_GE(output.image.info.static_threadgroup_bytes, 17u + 20 + 20);
  EXPECT_LE(output.image.info.static_threadgroup_bytes, 96u);
  std::vector<uint32_t> out(5);
  run(output.image, {.grid = {5, 1, 1},
                     .threadgroup = {5, 1, 1},
                     .buffers = {out.data()},
                     .threadgroup_bytes = {20, 20}});
  for (uint32_t value : out) EXPECT_EQ(value, 54321u);
}

TEST_P(Execution, scan_shuffle_reduce_and_lane_work_on_their_clusters_and_widths) {
  BuildOutput output =
      build(R"(
define void @k(ptr %out, i32 %t) {
  %inclusive = call i32 @assay.simd.scan.add.u32(i32 %t, i32 32, i32 1)
  %exclusive = call i32 @assay.simd.scan.add.u32(i32 %t, i32 4, i32 0)
  %wide = zext i32 %t to i64
  %big = mul i64 %wide, 10000000000
  %negative = sub i64 7, %big
  %largest = call i64 @assay.simd.reduce.max.i64(i64 %negative, i32 4)
  %lane = call i32 @assay.lane()
  %other = xor i32 %lane, 1
  %swapped = call i64 @assay.simd.shuffle.i64(i64 %big, i32 %other)
  call void @assay.barrier.simdgroup(i32 1)
  %slot = getelementptr [4 x i64], ptr %out, i64 %wide
  %a = zext i32 %inclusive to i64
  %b = zext i32 %exclusive to i64
  store i64 %a, ptr %slot
  %s1 = getelementptr i64, ptr %slot, i64 1
  store i64 %b, ptr %s1
  %s2 = getelementptr i64, ptr %slot, i64 2
  store i64 %largest, ptr %s2
  %s3 = getelementptr i64, ptr %slot, i64 3
  store i64 %swapped, ptr %s3
  ret void
})",
            kernel_info({buffer("out", 0), attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  std::vector<int64_t> out(40 * 4);
  run(output.image, {.grid = {40, 1, 1}, .threadgroup = {40, 1, 1}, .buffers = {out.data()}});
  for (int64_t t = 0; t < 40; ++t) {
    int64_t inclusive = 0, exclusive = 0;
    for (int64_t i = t / 32 * 32; i <= t; ++i) inclusive += i;
    for (int64_t i = t / 4 * 4; i < t; ++i) exclusive += i;
    EXPECT_EQ(out[t * 4], inclusive);
    EXPECT_EQ(out[t * 4 + 1], exclusive);
    EXPECT_EQ(out[t * 4 + 2], 7 - t / 4 * 4 * 10000000000);
    EXPECT_EQ(out[t * 4 + 3], (t ^ 1) * 10000000000);
  }
}

TEST_P(Execution, matrix_product_follows_the_lane_layout) {
  BuildOutput output =
      build(R"(
define void @k(ptr %a, ptr %b, ptr %c, ptr %d, i32 %t) {
  %place = alloca [2 x float], align 8
  %q = lshr i32 %t, 2
  %q4 = and i32 %q, 4
  %h = lshr i32 %t, 1
  %h4 = and i32 %h, 3
  %row = add i32 %q4, %h4
  %q2 = and i32 %q, 2
  %c0 = mul i32 %q2, 2
  %l = and i32 %t, 1
  %l2 = mul i32 %l, 2
  %column = add i32 %c0, %l2
  %r8 = mul i32 %row, 8
  %at = add i32 %r8, %column
  %w = zext i32 %at to i64
  %pa = getelementptr float, ptr %a, i64 %w
  %pb = getelementptr float, ptr %b, i64 %w
  %pc = getelementptr float, ptr %c, i64 %w
  %pd = getelementptr float, ptr %d, i64 %w
  %a0 = load float, ptr %pa
  %b0 = load float, ptr %pb
  %v0 = load float, ptr %pc
  %pa1 = getelementptr float, ptr %pa, i64 1
  %pb1 = getelementptr float, ptr %pb, i64 1
  %pc1 = getelementptr float, ptr %pc, i64 1
  %pd1 = getelementptr float, ptr %pd, i64 1
  %a1 = load float, ptr %pa1
  %b1 = load float, ptr %pb1
  %v1 = load float, ptr %pc1
  call void @assay.simd.matmul.f32(float %a0, float %a1, float %b0, float %b1, float %v0, float %v1, ptr %place)
  %d0 = load float, ptr %place
  %place1 = getelementptr float, ptr %place, i64 1
  %d1 = load float, ptr %place1
  store float %d0, ptr %pd
  store float %d1, ptr %pd1
  ret void
})",
            kernel_info({buffer("a", 0), buffer("b", 1), buffer("c", 2), buffer("d", 3),
                         attribute(ThreadAttribute::kThreadIndexInThreadgroup)}));
  std::vector<float> a(64), b(64), c(64), d(64);
  for (int i = 0; i < 64; ++i) a[i] = i % 7 - 3, b[i] = i % 5 - 2, c[i] = i;
  run(output.image, {.grid = {32, 1, 1},
                     .threadgroup = {32, 1, 1},
                     .buffers = {a.data(), b.data(), c.data(), d.data()}});
  for (int row = 0; row < 8; ++row) {
    for (int column = 0; column < 8; ++column) {
      float sum = c[row * 8 + column];
      for (int k = 0; k < 8; ++k) sum += a[row * 8 + k] * b[k * 8 + column];
      EXPECT_EQ(d[row * 8 + column], sum) << row << "," << column;
    }
  }
}

}  // namespace
}  // namespace assay::codegen
