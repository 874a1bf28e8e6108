#include "base/ensure.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::base {

TEST(Ensure, lets_true_conditions_pass_without_building_the_message) {
  int built = 0;
  auto message = [&] {
    ++built;
    return std::string("never seen");
  };
  ASSAY_ENSURE(1 + 1 == 2, message());
  EXPECT_EQ(built, 0);
}

TEST(EnsureDeathTest, stops_with_place_message_and_condition) {
  const int slots = 3;
  EXPECT_DEATH(ASSAY_ENSURE(slots < 2, "too many slots: " + std::to_string(slots)),
               "internal error at .*ensure_test\\.cpp:[0-9]+: too many slots: 3 \\[slots < 2\\]");
}

TEST(Ensure, is_one_statement_in_an_unbraced_if) {
  bool reached_else = false;
  if (reached_else)
    ASSAY_ENSURE(false, "not reached");
  else
    reached_else = true;
  EXPECT_TRUE(reached_else);
}

}  // namespace assay::base
