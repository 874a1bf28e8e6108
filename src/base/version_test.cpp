#include "assay/version.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>

namespace assay {

TEST(Version, is_three_numbers) {
  EXPECT_TRUE(std::regex_match(std::string(version()), std::regex(R"(\d+\.\d+\.\d+)")))
      << version();
}

}  // namespace assay
