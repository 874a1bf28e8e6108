// Names that the standard library may use.
#include "codegen/intrinsics.h"

#include <gtest/gtest.h>

namespace assay::codegen {
namespace {

TEST(Intrinsics, reads_operation_and_element_out_of_the_name) {
  std::optional<Intrinsic> found = parse_intrinsic("assay.simd.reduce.xor.u64");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, IntrinsicKind::kReduce);
  EXPECT_EQ(found->combine, kernel::Combine::kXor);
  EXPECT_EQ(found->element, kernel::Element::kUint64);
  found = parse_intrinsic("assay.simd.scan.mul.f32");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->kind, IntrinsicKind::kScan);
  EXPECT_EQ(found->combine, kernel::Combine::kMultiply);
  EXPECT_EQ(found->element, kernel::Element::kFloat32);
}

TEST(Intrinsics, knows_no_others) {
  for (const char* name :
       {"assay.simd.reduce.xor.f32", "assay.simd.reduce.and.i32", "assay.simd.scan.min.i32",
        "assay.simd.reduce.add", "assay.nothing", "lane", "simd.reduce.add.u32", ""}) {
    EXPECT_FALSE(parse_intrinsic(name)) << name;
  }
}

TEST(Intrinsics, tells_suspending_from_cross_lane_from_neither) {
  EXPECT_TRUE(suspends(IntrinsicKind::kThreadgroupBarrier));
  EXPECT_FALSE(is_cross_lane(IntrinsicKind::kThreadgroupBarrier));
  EXPECT_TRUE(is_cross_lane(IntrinsicKind::kSimdgroupBarrier));
  EXPECT_FALSE(is_cross_lane(IntrinsicKind::kLoopRound));
  EXPECT_FALSE(suspends(IntrinsicKind::kLane));
}

}  // namespace
}  // namespace assay::codegen
