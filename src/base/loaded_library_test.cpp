#include "base/loaded_library.h"

#include <gtest/gtest.h>

namespace assay::base {
namespace {

TEST(LoadedLibrary, finds_the_build_id_of_the_c_library) {
  const std::string ids = loaded_build_ids("libc.so");
  EXPECT_GE(ids.size(), 16u) << ids;
  EXPECT_EQ(ids.find_first_not_of("0123456789abcdef "), std::string::npos) << ids;
  EXPECT_EQ(ids, loaded_build_ids("libc.so"));
}

TEST(LoadedLibrary, tells_libraries_apart) {
  EXPECT_NE(loaded_build_ids("libc.so"), loaded_build_ids("libstdc++"));
  EXPECT_EQ(loaded_build_ids("libnobody"), "");
}

}  // namespace
}  // namespace assay::base
