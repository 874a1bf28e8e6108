#include "base/open_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <vector>

namespace assay::base {
namespace {

namespace fs = std::filesystem;

class OpenFileTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "assay_open_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }
  static std::string read(const OpenFile& file, uint64_t offset, size_t count) {
    std::string text(count, '?');
    const Result<uint64_t> got = file.read(offset, std::as_writable_bytes(std::span(text)));
    EXPECT_TRUE(got.ok());
    return got ? text.substr(0, *got) : std::string();
  }

  fs::path folder_;
};

TEST_F(OpenFileTest, reads_at_any_place_and_as_much_as_there_is) {
  const Result<OpenFile> file = OpenFile::create(write("x", "0123456789"));
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(*file->size(), 10u);
  EXPECT_EQ(read(*file, 3, 4), "3456");
  EXPECT_EQ(read(*file, 0, 2), "01");
  EXPECT_EQ(read(*file, 8, 5), "89");
  EXPECT_EQ(read(*file, 10, 5), "");
  EXPECT_EQ(read(*file, 100, 5), "");
}

TEST_F(OpenFileTest, keeps_what_it_opened_when_another_file_takes_the_name) {
  const Result<OpenFile> file = OpenFile::create(write("x", "first"));
  ASSERT_TRUE(file.ok());
  fs::rename(write("y", "second"), folder_ / "x");
  EXPECT_EQ(read(*file, 0, 9), "first");
}

TEST_F(OpenFileTest, says_why_there_is_nothing_to_read) {
  EXPECT_EQ(OpenFile::create(folder_ / "missing").error().message, "No such file or directory");
  EXPECT_EQ(OpenFile::create(folder_).error().message, "Is a directory");
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(OpenFile::create(pipe).error().message, "it is not a plain file");
}

}  // namespace
}  // namespace assay::base
