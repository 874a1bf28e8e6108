#include "sanitizer/suppressions.h"

#include <gtest/gtest.h>

#include "base/testing/temporary_folder.h"
#include "sanitizer/testing/sample_report.h"

namespace assay::sanitizer {
namespace {

using testing::sample_bounds;
using testing::sample_note;
using testing::sample_race;

std::string error_of(std::string_view text) {
  const Result<Suppressions> result = Suppressions::parse(text, "s.txt");
  return result ? "" : result.error().message;
}

bool is_suppressed(std::string_view text, const Finding& finding) {
  Result<Suppressions> result = Suppressions::parse(text, "s.txt");
  EXPECT_TRUE(result) << text;
  return result && result->suppresses(finding);
}

TEST(Pattern, stars_stand_for_any_text) {
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_TRUE(matches_pattern("a*c", "abbbc"));
  EXPECT_TRUE(matches_pattern("*ab*ab*", "xabyyabab"));
  EXPECT_TRUE(matches_pattern("a**", "a"));
  EXPECT_FALSE(matches_pattern("", "a"));
  EXPECT_FALSE(matches_pattern("a*c", "abbbcd"));
  EXPECT_FALSE(matches_pattern("ab", "a"));
  EXPECT_FALSE(matches_pattern("*b*b*b", "abab"));
}

TEST(Suppressions, match_rule_kernel_file_and_line) {
  EXPECT_TRUE(is_suppressed("race-threadgroup", sample_race()));
  EXPECT_TRUE(is_suppressed("race-*:bl*:blur.metal:14", sample_race()));
  EXPECT_TRUE(is_suppressed("race-*:*:kernels/*", sample_race()));
  EXPECT_TRUE(is_suppressed("*:*:*:*", sample_bounds()));
  EXPECT_TRUE(is_suppressed(" bounds-read : row_sum : sums é.h : 7 # known", sample_bounds()));
  EXPECT_TRUE(is_suppressed("race-same-value", sample_note()));
  EXPECT_TRUE(is_suppressed("*:*:source:5", sample_note()));
  EXPECT_TRUE(is_suppressed("*:*:search.py:31", sample_note()));
}

TEST(Suppressions, leave_everything_else) {
  EXPECT_FALSE(is_suppressed("race-device", sample_race()));
  EXPECT_FALSE(is_suppressed("race-*:blu", sample_race()));
  EXPECT_FALSE(is_suppressed("race-*:*:ur.metal", sample_race()));
  EXPECT_FALSE(is_suppressed("race-*:*:*:12", sample_race()));
  EXPECT_FALSE(is_suppressed("*:*:search.py:5", sample_note()));
  EXPECT_FALSE(is_suppressed("# race-threadgroup\n\n", sample_race()));
}

TEST(Suppressions, know_their_reasons_and_which_were_used) {
  Result<Suppressions> list = Suppressions::parse(
      "# known\n\nrace-same-value:flag  # all write 1\r\nrace-device:blur\n", "s.txt");
  ASSERT_TRUE(list);
  ASSERT_EQ(list->entries().size(), 2u);
  EXPECT_EQ(list->entries()[0].reason, "all write 1");
  EXPECT_TRUE(list->suppresses(sample_note()));
  EXPECT_EQ(list->unused(), std::vector<std::string>{"s.txt:4: race-device:blur"});
}

TEST(Suppressions, say_which_line_makes_no_sense) {
  EXPECT_EQ(error_of("bounds-read\nrace-devise:x").substr(0, 52),
            "s.txt:2: no rule is called 'race-devise'; there are ");
  EXPECT_EQ(error_of("race-device:a:b:zero"),
            "s.txt:1: 'zero' is not a line; write a number from 1, or *");
  EXPECT_EQ(error_of("race-device:a:b:0"),
            "s.txt:1: '0' is not a line; write a number from 1, or *");
  const std::string_view form =
      " is not a suppression; write rule[:kernel[:file[:line]]], with * for any text";
  EXPECT_EQ(error_of("race-device::b"), "s.txt:1: 'race-device::b'" + std::string(form));
  EXPECT_EQ(error_of("race-device:a:b:1:2"), "s.txt:1: 'race-device:a:b:1:2'" + std::string(form));
}

TEST(Suppressions, come_from_a_file) {
  const base::testing::TemporaryFolder folder;
  folder.write("known.txt", "race-device\n");
  EXPECT_TRUE(Suppressions::load(folder.file("known.txt")));
  const Result<Suppressions> missing = Suppressions::load(folder.file("none.txt"));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find("cannot read the suppressions in "), std::string::npos);
}

}  // namespace
}  // namespace assay::sanitizer
