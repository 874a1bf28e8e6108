#include "analysis/fusion.h"

#include <gtest/gtest.h>

namespace assay::analysis {
namespace {

WorkTotals work(const std::string& name, int count, int64_t time_each, int64_t bytes_each) {
  WorkTotals totals{.name = name, .is_kernel = true, .time = {}};
  for (int i = 0; i < count; ++i) totals.time.add(time_each);
  totals.bytes_read = totals.bytes_written = count * bytes_each / 2;
  return totals;
}

TEST(Fusion, names_the_kernels_that_became_one) {
  const WorkTotals before[] = {work("sin", 10, 100, 8), work("cos", 10, 200, 8),
                               work("matmul", 3, 5, 2)};
  const WorkTotals after[] = {work("sin_cos", 10, 150, 8), work("matmul", 3, 5, 2)};
  const std::vector<Fusion> fusions = find_fusions(before, after);
  ASSERT_EQ(fusions.size(), 1u);
  EXPECT_EQ(fusions[0].fused, "sin_cos");
  EXPECT_EQ(fusions[0].parts, (std::vector<std::string>{"sin", "cos"}));
  EXPECT_EQ(fusions[0].parts_count, 20);
  EXPECT_EQ(fusions[0].fused_count, 10);
  EXPECT_EQ(fusions[0].parts_time, 3000);
  EXPECT_EQ(fusions[0].fused_time, 1500);
  EXPECT_EQ(fusions[0].parts_bytes, 160);
  EXPECT_EQ(fusions[0].fused_bytes, 80);
  EXPECT_TRUE(find_fusions(after, before).empty()) << "nothing came apart";
}

TEST(Fusion, knows_names_with_underscores_and_cut_ones) {
  const WorkTotals before[] = {work("log_add_exp", 4, 10, 8), work("add", 8, 10, 8),
                               work("log", 1, 1, 1)};
  const WorkTotals after[] = {work("log_add_exp_add_add_and_more", 4, 10, 8), work("log", 1, 1, 1)};
  const std::vector<Fusion> fusions = find_fusions(before, after);
  ASSERT_EQ(fusions.size(), 1u);
  EXPECT_EQ(fusions[0].parts, (std::vector<std::string>{"log_add_exp", "add", "add"}));
  EXPECT_TRUE(fusions[0].has_more);
  EXPECT_EQ(fusions[0].parts_count, 12);
}

TEST(Fusion, counts_only_what_is_new_and_what_is_gone) {
  // Three of the fused kernel were there before, and two of each part stay.
  const WorkTotals before[] = {work("sin", 6, 100, 8), work("cos", 6, 100, 8),
                               work("sin_cos", 3, 100, 8)};
  const WorkTotals after[] = {work("sin", 2, 100, 8), work("cos", 2, 100, 8),
                              work("sin_cos", 7, 100, 8)};
  const std::vector<Fusion> fusions = find_fusions(before, after);
  ASSERT_EQ(fusions.size(), 1u);
  EXPECT_EQ(fusions[0].fused_count, 4);
  EXPECT_EQ(fusions[0].parts_count, 8);
  EXPECT_EQ(fusions[0].parts_time, 800);
}

TEST(Fusion, does_not_guess) {
  // The parts did not run before, or still run as often.
  const WorkTotals parts[] = {work("sin", 5, 1, 1), work("cos", 5, 1, 1)};
  const WorkTotals more[] = {work("sin", 5, 1, 1), work("cos", 5, 1, 1), work("sin_cos", 5, 1, 1)};
  EXPECT_TRUE(find_fusions(parts, more).empty());
  const WorkTotals other[] = {work("tan_cos", 5, 1, 1)};
  EXPECT_TRUE(find_fusions(parts, other).empty());
  EXPECT_TRUE(find_fusions({}, other).empty());
}

}  // namespace
}  // namespace assay::analysis
