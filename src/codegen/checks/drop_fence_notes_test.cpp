// Builds without checks keep the fences, and nothing of what is said about them.
#include "codegen/checks/drop_fence_notes.h"

#include <gtest/gtest.h>

#include "codegen/testing/pass_fixture.h"

namespace assay::codegen {
namespace {

TEST(DropFenceNotes, leaves_the_fences_alone) {
  testing::PassFixture fixture(R"(
declare void @assay.check.fence(i32, i32, i32)
define void @f() {
  call void @assay.check.fence(i32 1, i32 5, i32 2)
  fence seq_cst
  ret void
}
define void @k() {
  call void @assay.check.fence(i32 2, i32 5, i32 3)
  fence seq_cst
  call void @f()
  ret void
})");
  EXPECT_EQ(fixture.run({{"drop-fence-notes", drop_fence_notes}}), "");
  const std::string text = fixture.text();
  EXPECT_EQ(text.find("assay.check.fence"), std::string::npos);
  const size_t first = text.find("fence seq_cst");
  ASSERT_NE(first, std::string::npos);
  EXPECT_NE(text.find("fence seq_cst", first + 1), std::string::npos);
}

}  // namespace
}  // namespace assay::codegen
