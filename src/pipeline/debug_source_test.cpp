// Files for sources that have none.
#include "pipeline/debug_source.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace assay::pipeline {
namespace {

namespace fs = std::filesystem;

class DebugSource : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / "assay_debug_source_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string read(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(DebugSource, writes_what_exists_only_in_memory_with_its_own_lines) {
  const msl::Source made =
      make_debug_source({"halved", "a\n#line 1 \"source\"\nb\n"}, folder_.string());
  EXPECT_EQ(made.text, "a\n\nb\n");
  EXPECT_EQ(fs::path(made.name).filename(), "halved.metal");
  EXPECT_EQ(read(made.name), made.text);
  EXPECT_EQ(make_debug_source({"halved", "a\n\nb\n"}, folder_.string()).name, made.name);
  EXPECT_NE(make_debug_source({"halved", "c\n"}, folder_.string()).name, made.name);
}

TEST_F(DebugSource, leaves_files_alone) {
  const std::string path = (folder_ / "own.metal").string();
  std::ofstream(path) << "#line 3\nx\n";
  const msl::Source made = make_debug_source({path, "#line 3\nx\n"}, folder_.string());
  EXPECT_EQ(made.name, path);
  EXPECT_EQ(made.text, "#line 3\nx\n");
}

TEST_F(DebugSource, keeps_the_name_where_nothing_can_be_written) {
  EXPECT_EQ(make_debug_source({"halved", "x\n"}, "").name, "halved");
  EXPECT_EQ(make_debug_source({"halved", "x\n"}, "/proc/nowhere").name, "halved");
  EXPECT_EQ(make_debug_source({std::string(5000, 'n'), "x\n"}, folder_.string()).name.size(),
            5000u);
}

}  // namespace
}  // namespace assay::pipeline
