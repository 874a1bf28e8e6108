#include "base/result.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace assay {

TEST(Result, holds_a_value) {
  Result<std::string> result = std::string("text");
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, "text");
  EXPECT_EQ(result->size(), 4u);
}

TEST(Result, holds_an_error_even_where_the_value_is_text) {
  const Result<std::string> result = Error{"no such file"};
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.error().message, "no such file");
}

TEST(Result, moves_values_that_cannot_be_copied) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(7);
  const std::unique_ptr<int> owned = *std::move(result);
  EXPECT_EQ(*owned, 7);
}

TEST(Result, of_nothing_is_a_success_by_default) {
  EXPECT_TRUE(Result<void>());
  const Result<void> failed = Error{"disk full"};
  EXPECT_FALSE(failed);
  EXPECT_EQ(failed.error().message, "disk full");
}

}  // namespace assay
