#include "cli/timed_run.h"

#include <gtest/gtest.h>

namespace assay::cli {

TEST(TimedRun, takes_the_middle_of_an_odd_count_and_the_mean_of_two_otherwise) {
  EXPECT_EQ(summarize({5, 1, 9}).median_ns, 5);
  EXPECT_EQ(summarize({9, 1, 5, 6}).median_ns, 5.5);
  EXPECT_EQ(summarize({9, 1, 5}).min_ns, 1);
  EXPECT_EQ(summarize({9, 1, 5}).runs, 3u);
}

}  // namespace assay::cli
