#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "msl/compile.h"

namespace assay::msl {
namespace {

namespace fs = std::filesystem;

class RecordFileUses : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "assay_uses_XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
  }

  // The kind of use of `name`; nothing when the compiler did not look at it.
  static std::optional<FileUse> find(const CompileResult& result, const fs::path& path) {
    const auto found = std::ranges::find(result.files, path.string(), &FileUse::path);
    if (found == result.files.end()) return std::nullopt;
    return *found;
  }

  fs::path folder_;
};

TEST_F(RecordFileUses, names_what_was_read_and_what_could_come_first) {
  write("second/value.h", "#include \"deeper.h\"\n");
  write("second/deeper.h", "constant constexpr int kValue = 3;\n");
  fs::create_directories(folder_ / "first");
  const Source source{(folder_ / "k.metal").string(),
                      "#include <metal_stdlib>\n#include \"value.h\"\n"
                      "kernel void k(device int* x) { x[0] = kValue; }\n"};
  CompileOptions options;
  options.include_folders = {(folder_ / "first").string(), (folder_ / "second").string()};
  const CompileResult result = compile(source, options);
  ASSERT_TRUE(result.library) << render(result.diagnostics);

  const auto value = find(result, folder_ / "second/value.h");
  ASSERT_TRUE(value);
  EXPECT_EQ(value->kind, FileUse::Kind::kRead);
  const std::string text = "#include \"deeper.h\"\n";
  EXPECT_EQ(value->content, base::hash_content(std::as_bytes(std::span(text))));
  const auto deeper = find(result, folder_ / "second/deeper.h");
  ASSERT_TRUE(deeper);
  EXPECT_EQ(deeper->kind, FileUse::Kind::kRead);
  const auto earlier = find(result, folder_ / "first/value.h");
  ASSERT_TRUE(earlier);
  EXPECT_EQ(earlier->kind, FileUse::Kind::kAbsent);
  EXPECT_FALSE(find(result, source.name));
}

TEST_F(RecordFileUses, notes_files_that_were_only_asked_for) {
  write("here.h", "");
  const Source source{(folder_ / "k.metal").string(),
                      "#if __has_include(\"here.h\") && !__has_include(\"gone.h\")\n"
                      "kernel void k() {}\n#endif\n"};
  const CompileResult result = compile(source, {});
  ASSERT_TRUE(result.library && result.library->find_kernel("k"));
  EXPECT_TRUE(find(result, folder_ / "here.h"));
  const auto gone = find(result, folder_ / "gone.h");
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->kind, FileUse::Kind::kAbsent);
}

TEST_F(RecordFileUses, notices_the_clock) {
  const auto uses_clock = [](const std::string& text) {
    const CompileResult result = compile({"k.metal", text}, {});
    EXPECT_TRUE(result.library) << render(result.diagnostics);
    return result.uses_clock;
  };
  EXPECT_TRUE(uses_clock("constant char t[] = __TIME__;\nkernel void k() {}\n"));
  EXPECT_TRUE(uses_clock("#define NOW __DATE__\nconstant char t[] = NOW;\nkernel void k() {}\n"));
  EXPECT_FALSE(
      uses_clock("#define NOW __DATE__\nconstant int t = __LINE__;\nkernel void k() {}\n"));
}

TEST_F(RecordFileUses, needs_no_file_for_the_standard_library) {
  const CompileResult result =
      compile({"k.metal", "#include <metal_stdlib>\nkernel void k() {}\n"}, {});
  ASSERT_TRUE(result.library);
  for (const FileUse& use : result.files) ADD_FAILURE() << use.path;
}

}  // namespace
}  // namespace assay::msl
