#include "analysis/duration_statistics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace assay::analysis {
namespace {

int64_t middle(std::vector<int64_t> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

TEST(DurationStatistics, is_empty_at_first) {
  const DurationStatistics statistics;
  EXPECT_EQ(statistics.count(), 0);
  EXPECT_EQ(statistics.median(), 0);
}

TEST(DurationStatistics, is_exact_for_few_values) {
  std::mt19937_64 random(1);
  for (const size_t count : {1u, 2u, 3u, 10u, 999u, 1000u}) {
    DurationStatistics statistics;
    std::vector<int64_t> values;
    int64_t total = 0;
    for (size_t i = 0; i < count; ++i) {
      values.push_back(static_cast<int64_t>(random() % 1'000'003));
      total += values.back();
      statistics.add(values.back());
    }
    EXPECT_EQ(statistics.median(), middle(values)) << count;
    EXPECT_EQ(statistics.min(), std::ranges::min(values));
    EXPECT_EQ(statistics.max(), std::ranges::max(values));
    EXPECT_EQ(statistics.total(), total);
  }
}

// Over twelve powers of ten.
TEST(DurationStatistics, is_within_one_percent_for_many) {
  std::mt19937_64 random(2);
  for (const double scale : {1.0, 1e2, 1e5, 1e9, 1e12}) {
    DurationStatistics statistics;
    std::vector<int64_t> values;
    for (int i = 0; i < 20'001; ++i) {
      const double spread = std::exp(static_cast<double>(random() % 1000) / 300);
      values.push_back(static_cast<int64_t>(scale * spread));
      statistics.add(values.back());
    }
    const auto expected = static_cast<double>(middle(values));
    EXPECT_NEAR(static_cast<double>(statistics.median()), expected, 0.01 * expected) << scale;
    EXPECT_EQ(statistics.count(), 20'001);
  }
}

TEST(DurationStatistics, takes_anything_that_a_damaged_file_holds) {
  DurationStatistics statistics;
  for (int i = 0; i < 3000; ++i)
    statistics.add(i % 3 == 0 ? INT64_MAX : i % 3 == 1 ? INT64_MIN : -1);
  EXPECT_EQ(statistics.min(), INT64_MIN);
  EXPECT_EQ(statistics.max(), INT64_MAX);
  EXPECT_LE(statistics.median(), 0);
}

}  // namespace
}  // namespace assay::analysis
