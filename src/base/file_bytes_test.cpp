#include "base/file_bytes.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace assay::base {
namespace {

namespace fs = std::filesystem;

class FileBytes : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "assay_file_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) const {
    const fs::path path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    return path.string();
  }

  fs::path folder_;
};

TEST_F(FileBytes, reads_files_of_any_size) {
  for (const size_t size : {0, 1, 4095, 100'003}) {
    std::string bytes(size, 'a');
    if (size > 1) bytes[size / 2] = '\0';
    EXPECT_EQ(read_file(write("x", bytes)), bytes) << size;
  }
}

TEST_F(FileBytes, gives_nothing_for_what_is_no_file) {
  EXPECT_EQ(read_file((folder_ / "absent").string()), std::nullopt);
  EXPECT_EQ(read_file(folder_.string()), std::nullopt);
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(read_file(pipe), std::nullopt);
}

TEST_F(FileBytes, refuses_files_above_the_limit) {
  const std::string path = write("x", "12345");
  EXPECT_EQ(read_file(path, {.max_bytes = 4}), std::nullopt);
  EXPECT_EQ(read_file(path, {.max_bytes = 5}), "12345");
}

TEST_F(FileBytes, takes_private_files_only_where_asked) {
  const std::string path = write("x", "bytes");
  EXPECT_EQ(read_file(path, {.must_be_private = true}), "bytes");
  const std::string link = (folder_ / "link").string();
  fs::create_symlink(path, link);
  EXPECT_EQ(read_file(link), "bytes");
  EXPECT_EQ(read_file(link, {.must_be_private = true}), std::nullopt);
  fs::permissions(path, fs::perms::others_write, fs::perm_options::add);
  EXPECT_EQ(read_file(path), "bytes");
  EXPECT_EQ(read_file(path, {.must_be_private = true}), std::nullopt);
}

}  // namespace
}  // namespace assay::base
