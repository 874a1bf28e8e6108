// Which places of a kernel are watched, and that what is watched computes the same.
#include "codegen/checks/insert_checks.h"

#include <gtest/gtest.h>

#include "codegen/checks/mark_arithmetic.h"
#include "codegen/intrinsics.h"
#include "codegen/testing/pass_fixture.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

using kernel::CheckSite;
using kernel::SiteKind;
using kernel::SiteMemory;
using testing::PassFixture;

kernel::KernelInfo info_with_buffers(uint32_t count) {
  kernel::KernelInfo info = testing::kernel_info({});
  for (uint32_t slot = 0; slot < count; ++slot) {
    info.arguments.push_back(testing::buffer("b" + std::to_string(slot), slot));
  }
  return info;
}

std::vector<CheckSite> sites_of(const std::string& text, uint32_t buffers) {
  PassFixture fixture(text, info_with_buffers(buffers));
  const std::string error =
      fixture.run({{"mark-arithmetic", mark_arithmetic}, {"insert-checks", insert_checks}});
  EXPECT_EQ(error, "");
  return fixture.build().checks ? fixture.build().checks->sites : std::vector<CheckSite>();
}

std::vector<SiteKind> kinds_of(const std::vector<CheckSite>& sites) {
  std::vector<SiteKind> kinds;
  for (const CheckSite& site : sites) kinds.push_back(site.kind);
  return kinds;
}

TEST(InsertChecks, names_the_argument_of_each_access) {
  const auto sites = sites_of(R"(
define void @k(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  %p = getelementptr i8, ptr %b, i64 8
  store i32 %v, ptr %p, align 4
  ret void
})",
                              2);
  ASSERT_EQ(kinds_of(sites), (std::vector{SiteKind::kLoad, SiteKind::kStore}));
  EXPECT_EQ(sites[0].memory, SiteMemory::kBuffer);
  EXPECT_EQ(sites[0].object, "b0");
  EXPECT_EQ(sites[1].slot, 1U);
  EXPECT_EQ(sites[1].bytes, 4U);
  EXPECT_FALSE(sites[1].is_update);
}

TEST(InsertChecks, knows_updates_by_both_halves) {
  const auto sites = sites_of(R"(
define void @k(ptr %a, ptr %b) {
  %p = getelementptr i32, ptr %a, i64 3
  %q = getelementptr i32, ptr %b, i64 4
  %v = load i32, ptr %p, align 4
  %w = load i32, ptr %q, align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %p, align 4
  ret void
})",
                              2);
  ASSERT_EQ(sites.size(), 3U);
  EXPECT_TRUE(sites[0].is_update);
  EXPECT_FALSE(sites[1].is_update);
  EXPECT_TRUE(sites[2].is_update);
}

TEST(InsertChecks, watches_each_of_two_loads_whose_values_meet) {
  const auto sites = sites_of(R"(
define void @k(ptr %a, ptr %b, ptr %c) {
  %p = getelementptr i8, ptr %c, i64 4
  %n = load i32, ptr %p, align 4
  %is = icmp eq i32 %n, 0
  br i1 %is, label %yes, label %no
yes:
  %v = load float, ptr %a, align 4
  br label %end
no:
  %w = load float, ptr %b, align 4
  br label %end
end:
  %r = phi float [ %v, %yes ], [ %w, %no ]
  store float %r, ptr %c, align 4
  ret void
})",
                              3);
  std::vector<std::string> loaded;
  for (const CheckSite& site : sites) {
    if (site.kind == SiteKind::kLoad) loaded.push_back(site.object);
  }
  EXPECT_EQ(loaded, (std::vector<std::string>{"b2", "b0", "b1"}));
}

TEST(InsertChecks, watches_both_of_two_stores_to_one_place) {
  const auto sites = sites_of(R"(
define void @k(ptr %a, ptr %b) {
  %n = load i32, ptr %b, align 4
  store i32 0, ptr %a, align 4
  %is = icmp sgt i32 %n, 0
  br i1 %is, label %yes, label %end
yes:
  store i32 %n, ptr %a, align 4
  br label %end
end:
  ret void
})",
                              2);
  EXPECT_EQ(kinds_of(sites), (std::vector{SiteKind::kLoad, SiteKind::kStore, SiteKind::kStore}));
}

TEST(InsertChecks, takes_no_sum_of_two_elements_for_an_update) {
  const auto sites = sites_of(R"(
define void @k(ptr %a) {
  %p = getelementptr i32, ptr %a, i64 3
  %q = getelementptr i32, ptr %a, i64 4
  %v = load i32, ptr %p, align 4
  %w = load i32, ptr %q, align 4
  %s = add i32 %v, %w
  store i32 %s, ptr %p, align 4
  ret void
})",
                              1);
  ASSERT_EQ(sites.size(), 3U);
  for (const auto& site : sites) EXPECT_FALSE(site.is_update);
}

TEST(InsertChecks, takes_no_value_that_some_threads_only_read_for_an_update) {
  const auto sites = sites_of(R"(
define void @k(ptr %a) {
  %v = load i32, ptr %a, align 4
  %s = add i32 %v, 7
  %c = icmp sgt i32 %v, 5
  br i1 %c, label %last, label %end
last:
  store i32 %s, ptr %a, align 4
  br label %end
end:
  ret void
})",
                              1);
  ASSERT_EQ(sites.size(), 2U);
  for (const auto& site : sites) EXPECT_FALSE(site.is_update);
}

TEST(InsertChecks, watches_divisors_and_shifts_that_may_be_wrong) {
  const auto sites = sites_of(R"(
define void @k(ptr %a) {
  %v = load i32, ptr %a, align 4
  %fine = udiv i32 %v, 7
  %d = udiv i32 100, %fine
  %cut = and i32 %d, 31
  %s = shl i32 1, %cut
  %known = lshr i32 %s, 5
  store i32 %known, ptr %a, align 4
  ret void
})",
                              1);
  EXPECT_EQ(kinds_of(sites), (std::vector{SiteKind::kDivision, SiteKind::kShift, SiteKind::kLoad,
                                          SiteKind::kStore}));
}

TEST(InsertChecks, watches_operations_on_floats_of_every_size) {
  const std::string text = R"(
define void @k(ptr %a, float %x, half %y) {
  %sum = fadd float %x, 1.0
  %cut = fptrunc float %sum to half
  %product = fmul half %cut, %y
  %wide = fpext half %product to float
  store float %wide, ptr %a, align 4
  ret void
})";
  PassFixture fixture(text, info_with_buffers(1));
  EXPECT_EQ(fixture.run({{"mark-arithmetic", mark_arithmetic}}), "");
  std::vector<std::string> names;
  for (const llvm::Instruction& instruction : llvm::instructions(*fixture.build().kernel)) {
    const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (!intrinsic || intrinsic->kind != IntrinsicKind::kCheckFloat) continue;
    const auto& call = llvm::cast<llvm::CallInst>(instruction);
    names.push_back(call.getCalledFunction()->getName().str());
    const std::vector<llvm::Type*> floats = checked_floats(call);
    ASSERT_EQ(floats.size() + 1, call.arg_size());
    for (unsigned i = 0; i < floats.size(); ++i) {
      EXPECT_TRUE(
          call.getArgOperand(i + 1)->getType()->isIntegerTy(floats[i]->getScalarSizeInBits()));
    }
  }
  EXPECT_EQ(names,
            (std::vector<std::string>{"assay.check.float.f32.f32.f32", "assay.check.float.f16.f32",
                                      "assay.check.float.f16.f16.f16"}));
}

TEST(InsertChecks, knows_which_operations_a_number_may_come_from) {
  const auto sites = sites_of(R"(
define void @k(ptr %a, ptr %b, float %x, i1 %c) {
  %exp = fmul float %x, %x
  %inverse = fdiv float 1.0, %exp
  %other = load float, ptr %b, align 4
  %chosen = select i1 %c, float %inverse, float %other
  store float %chosen, ptr %a, align 4
  ret void
})",
                              2);
  ASSERT_EQ(kinds_of(sites),
            (std::vector{SiteKind::kNotFinite, SiteKind::kNotFinite, SiteKind::kLoad,
                         SiteKind::kNotFiniteStore, SiteKind::kStore}));
  ASSERT_EQ(sites[1].sources.size(), 2U);
  EXPECT_TRUE(sites[1].sources[0].sites.empty());
  EXPECT_EQ(sites[1].sources[1].sites, std::vector<uint32_t>{0});
  ASSERT_EQ(sites[3].sources.size(), 1U);
  EXPECT_EQ(sites[3].sources[0].sites, (std::vector<uint32_t>{1, 2}));
  EXPECT_TRUE(sites[3].sources[0].keeps_sign);
}

TEST(InsertChecks, knows_products_of_halves_and_sums_of_loops) {
  const auto sites = sites_of(R"(
define void @k(ptr %a, half %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %product = fmul half %x, %x
  %wide = fpext half %product to float
  %more = fadd float %sum, %wide
  %next = add i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %shifted = fadd float %more, 1.0
  store float %shifted, ptr %a, align 4
  ret void
})",
                              1);
  ASSERT_GE(sites.size(), 3U);
  using kernel::FloatRole;
  EXPECT_EQ(sites[0].role, FloatRole::kHalfProduct);
  EXPECT_EQ(sites[1].role, FloatRole::kRunningSum);
  EXPECT_EQ(sites[2].role, FloatRole::kOther);
}

TEST(InsertChecks, watches_indices_into_variables_only_where_they_are_not_known) {
  const auto sites = sites_of(R"(
define void @k(ptr %a) {
  %array = alloca [4 x i32], align 4
  %v = load i32, ptr %a, align 4
  %first = getelementptr i32, ptr %array, i64 0
  store volatile i32 %v, ptr %first, align 4
  %w = zext i32 %v to i64
  %any = getelementptr i32, ptr %array, i64 %w
  store volatile i32 5, ptr %any, align 4
  ret void
})",
                              1);
  ASSERT_EQ(kinds_of(sites), (std::vector{SiteKind::kLoad, SiteKind::kThreadArray}));
  EXPECT_EQ(sites[1].object_bytes, 16U);
}

TEST(InsertChecks, watches_products_that_are_widened_to_indices) {
  const auto sites = sites_of(R"(
define void @k(ptr %a, ptr %b) {
  %x = load i32, ptr %b, align 4
  %product = mul i32 %x, %x
  %w = zext i32 %product to i64
  %p = getelementptr i32, ptr %a, i64 %w
  store i32 1, ptr %p, align 4
  ret void
})",
                              2);
  EXPECT_EQ(kinds_of(sites),
            (std::vector{SiteKind::kLoad, SiteKind::kIndexWrap, SiteKind::kStore}));
}

TEST(InsertChecks, tells_what_memory_a_barrier_orders) {
  const auto sites = sites_of(R"(
declare void @assay.barrier.threadgroup(i32)
define void @k() {
  call void @assay.barrier.threadgroup(i32 2)
  call void @assay.barrier.threadgroup(i32 0)
  ret void
})",
                              0);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_TRUE(sites[0].orders_threadgroup);
  EXPECT_FALSE(sites[0].orders_device);
  EXPECT_FALSE(sites[1].orders_threadgroup);
}

TEST(InsertChecks, watches_a_load_where_it_was_written) {
  const std::string text = R"(
define void @k(ptr %a, ptr %b) {
  %v = load i32, ptr %a, align 4
  %n = load i32, ptr %b, align 4
  %guarded = icmp ult i32 %n, 7
  br i1 %guarded, label %use, label %end
use:
  store i32 %v, ptr %b, align 4
  br label %end
end:
  ret void
})";
  const auto sites = sites_of(text, 2);
  EXPECT_EQ(kinds_of(sites), (std::vector{SiteKind::kEarlyLoad, SiteKind::kLoad, SiteKind::kLoad,
                                          SiteKind::kStore}));
  EXPECT_EQ(sites[0].object, "b0");
  EXPECT_EQ(sites[0].bytes, 4U);
  EXPECT_EQ(sites[2].object, "b0");
}

// Calls of assay.check.sweep behind the pass.
size_t count_sweeps(const std::string& text, uint32_t buffers) {
  PassFixture fixture(text, info_with_buffers(buffers));
  EXPECT_EQ(fixture.run({{"insert-checks", insert_checks}}), "");
  size_t sweeps = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(*fixture.build().kernel)) {
    const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    sweeps += intrinsic && intrinsic->kind == IntrinsicKind::kCheckSweep;
  }
  return sweeps;
}

TEST(InsertChecks, knows_what_fences_order_and_how_far) {
  const auto sites = sites_of(R"(
declare void @assay.check.fence(i32, i32, i32)
define void @k(i32 %scope) {
  call void @assay.check.fence(i32 1, i32 5, i32 3)
  fence seq_cst
  call void @assay.check.fence(i32 2, i32 3, i32 2)
  fence release
  call void @assay.check.fence(i32 3, i32 2, i32 %scope)
  fence acquire
  call void @assay.check.fence(i32 1, i32 0, i32 3)
  call void @assay.check.fence(i32 1, i32 5, i32 0)
  fence seq_cst
  ret void
})",
                              0);
  ASSERT_EQ(kinds_of(sites), std::vector(3, SiteKind::kFence));
  EXPECT_TRUE(sites[0].orders_device && !sites[0].orders_threadgroup);
  EXPECT_TRUE(sites[0].releases && sites[0].acquires && sites[0].reaches_device);
  EXPECT_TRUE(!sites[1].orders_device && sites[1].orders_threadgroup);
  EXPECT_TRUE(sites[1].releases && !sites[1].acquires && !sites[1].reaches_device);
  EXPECT_TRUE(sites[2].orders_device && sites[2].orders_threadgroup);
  EXPECT_TRUE(!sites[2].releases && sites[2].acquires && sites[2].reaches_device);
}

// A loop over %a from 0 to `end`; `body` may use %i and %v, what was loaded.
std::string loop_text(const std::string& end, const std::string& body) {
  return R"(
declare void @assay.barrier.threadgroup(i32)
define void @k(ptr %a, ptr %b, ptr %c) {
entry:
  %n = load i32, ptr %c, align 4
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %w = zext i32 %i to i64
  %p = getelementptr i32, ptr %a, i64 %w
  %v = load i32, ptr %p, align 4
)" + body +
         R"(
  store i32 %v, ptr %b, align 4
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, )" +
         end + R"(
  br i1 %more, label %loop, label %end
end:
  ret void
})";
}

TEST(InsertChecks, checks_loads_of_a_loop_ahead) {
  EXPECT_EQ(count_sweeps(loop_text("100", ""), 3), 1U);
  EXPECT_EQ(count_sweeps(loop_text("%n", ""), 3), 1U);
}

TEST(InsertChecks, checks_short_loops_round_by_round) {
  EXPECT_EQ(count_sweeps(loop_text("3", ""), 3), 0U);
}

TEST(InsertChecks, checks_nothing_ahead_of_a_barrier) {
  const std::string barrier = "  call void @assay.barrier.threadgroup(i32 2)\n";
  EXPECT_EQ(count_sweeps(loop_text("100", barrier), 3), 0U);
}

TEST(InsertChecks, checks_nothing_ahead_where_a_round_may_be_the_last) {
  const std::string leave = R"(
  %stop = icmp eq i32 %v, 7
  br i1 %stop, label %end, label %go
go:
)";
  EXPECT_EQ(count_sweeps(loop_text("100", leave), 3), 0U);
}

}  // namespace
}  // namespace assay::codegen
