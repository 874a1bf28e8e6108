// Golden texts of the compiler's messages: tests/cases/diagnostics/NAME.metal and NAME.expected.
// Run with --update to rewrite the expected files; review the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "msl/compile.h"

namespace assay::msl {
namespace {

bool update_expected = false;

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

class Diagnostics : public testing::TestWithParam<std::string> {};

TEST_P(Diagnostics, say_what_where_and_how_to_fix) {
  std::filesystem::path folder = ASSAY_CASES;
  std::string file = GetParam() + ".metal";
  CompileResult result = compile({file, read_text(folder / file)}, {});
  std::string text = render(result.diagnostics);
  EXPECT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.library.has_value(), !has_errors(result.diagnostics));
  for (std::string_view word : {"OpenCL", "__global", "__local", "__private", "__constant",
                                "generic", "__assay", "ASSAY_", "__components", "type-parameter"}) {
    EXPECT_EQ(text.find(word), std::string::npos) << text;
  }
  std::filesystem::path expected = folder / (GetParam() + ".expected");
  if (update_expected) {
    std::ofstream(expected) << text;
  } else {
    EXPECT_EQ(text, read_text(expected));
  }
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(ASSAY_CASES)) {
    if (entry.path().extension() == ".metal") names.push_back(entry.path().stem());
  }
  std::ranges::sort(names);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, Diagnostics, testing::ValuesIn(case_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace assay::msl

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]) == "--update") assay::msl::update_expected = true;
  }
  return RUN_ALL_TESTS();
}
