// Reading the machine's description.
#include "device/cpu/host_info.h"

#include <gtest/gtest.h>

#include "base/testing/temporary_folder.h"

namespace assay::device::cpu {
namespace {

TEST(HostInfo, finds_the_model_name_of_the_first_core) {
  EXPECT_EQ(
      find_cpu_name("processor\t: 0\nmodel name\t: Some CPU @ 2.0GHz \nmodel name\t: Other\n"),
      "Some CPU @ 2.0GHz");
}

TEST(HostInfo, gives_nothing_for_text_without_a_model_name) {
  EXPECT_EQ(find_cpu_name(""), "");
  EXPECT_EQ(find_cpu_name("processor : 0\nmodel : 85\n"), "");
  EXPECT_EQ(find_cpu_name("model name :"), "");
}

TEST(HostInfo, finds_the_largest_cache) {
  const base::testing::TemporaryFolder folder;
  EXPECT_EQ(find_cache_bytes(folder.path().string()), 0U);
  folder.write("index0/size", "48K\n");
  folder.write("index1/size", "32768K\n");
  folder.write("index2/size", "2M\n");
  EXPECT_EQ(find_cache_bytes(folder.path().string()), uint64_t{32} << 20);
}

TEST(HostInfo, reports_memory_and_cores) {
  EXPECT_GT(read_total_memory_bytes(), uint64_t{64} << 20);
  EXPECT_GT(read_cache_bytes(), uint64_t{16} << 10);
  EXPECT_GE(read_core_count(), 1U);
  EXPECT_FALSE(read_cpu_name().empty());
}

}  // namespace
}  // namespace assay::device::cpu
