// Texts of programs in their files.
#include "base/passage.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::base {
namespace {

// "line:column", or "nowhere".
std::string find(std::string_view text, std::string_view passage, TextPlace place,
                 uint32_t near_line = 1) {
  const auto found = find_in_passage(text, passage, place, near_line);
  if (!found) return "nowhere";
  return std::to_string(found->line) + ":" + std::to_string(found->column);
}

constexpr char kProgram[] =
    "import mlx.core as mx\n"                     // 1
    "kernel = make(source=\"\"\"\n"               // 2
    "    uint i = position.x;\n"                  // 3
    "    out[i] = x[i];\n"                        // 4
    "\"\"\")\n"                                   // 5
    "short = make(source=\"out[0] = x[0];\")\n"   // 6
    "other = make(source=\"\"\"uint n = size;\n"  // 7
    "    out[n] = x[n];\"\"\")\n"                 // 8
    "f = make(source=f\"\"\"\n"                   // 9
    "    if (i < {n}) {{\n"                       // 10
    "        out[i] = 2 * x[i];\n"                // 11
    "    }}\"\"\")\n";                            // 12

TEST(Passage, is_found_as_it_stands) {
  const std::string passage = "\n    uint i = position.x;\n    out[i] = x[i];\n";
  EXPECT_EQ(find(kProgram, passage, {2, 5}), "3:5");
  EXPECT_EQ(find(kProgram, passage, {3, 14}), "4:14");
}

TEST(Passage, is_found_in_the_middle_of_a_line) {
  EXPECT_EQ(find(kProgram, "out[0] = x[0];", {1, 10}), "6:31");
  EXPECT_EQ(find(kProgram, "uint n = size;\n    out[n] = x[n];", {1, 10}), "7:33");
  EXPECT_EQ(find(kProgram, "uint n = size;\n    out[n] = x[n];", {2, 5}), "8:5");
}

TEST(Passage, may_have_lost_its_indentation) {
  EXPECT_EQ(find(kProgram, "\nuint i = position.x;\nout[i] = x[i];\n", {3, 10}), "4:14");
}

TEST(Passage, may_have_escapes) {
  const std::string passage = "\n    if (i < 5) {\n        out[i] = 2 * x[i];\n    }";
  EXPECT_EQ(find(kProgram, passage, {3, 22}), "11:22");
}

TEST(Passage, is_the_one_that_is_nearest) {
  const std::string twice = "a = \"\"\"\n  x = 1;\n\"\"\"\n\n\n\n\nb = \"\"\"\n  x = 1;\n\"\"\"\n";
  EXPECT_EQ(find(twice, "\n  x = 1;\n", {2, 3}, 1), "2:3");
  EXPECT_EQ(find(twice, "\n  x = 1;\n", {2, 3}, 10), "9:3");
}

TEST(Passage, is_nowhere_in_other_texts) {
  EXPECT_EQ(find(kProgram, "\n    uint i = position.y;\n    out[i] = x[i];\n", {2, 5}), "nowhere");
  EXPECT_EQ(find(kProgram, "\n    out[i] = x[i];\n    uint i = position.x;\n", {2, 5}), "nowhere");
  EXPECT_EQ(find(kProgram, "", {1, 1}), "nowhere");
  EXPECT_EQ(find(kProgram, "\n\n\n", {1, 1}), "nowhere");
  EXPECT_EQ(find("", "out[0] = x[0];", {1, 1}), "nowhere");
  EXPECT_EQ(find(kProgram, "out[0] = x[0];", {2, 1}), "nowhere");
  // Lines with escapes alone say nothing.
  EXPECT_EQ(find("a{{\nb{{\nc{{\nd{{\n", "one\ntwo\nthree", {2, 1}), "nowhere");
}

}  // namespace
}  // namespace assay::base
