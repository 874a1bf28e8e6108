#include "sanitizer/report/clean_text.h"

#include <gtest/gtest.h>

namespace assay::sanitizer {
namespace {

TEST(CleanText, keeps_characters_and_drops_commands_to_the_terminal) {
  EXPECT_EQ(clean_text("naïve 日本 😀\t."), "naïve 日本 😀\t.");
  EXPECT_EQ(clean_text("\x1b[31mred\r\n\x7f"), " [31mred   ");
  EXPECT_EQ(clean_text("\xc2\x9b"
                       "31m"),
            " 31m");
  EXPECT_EQ(clean_text("a\nb\r", true), "a\nb ");
}

TEST(CleanText, replaces_what_is_not_utf8) {
  const std::string mark = "\xef\xbf\xbd";
  EXPECT_EQ(clean_text("a\xff"
                       "b"),
            "a" + mark + "b");
  EXPECT_EQ(clean_text("\xc3"), mark);
  EXPECT_EQ(clean_text("\xc0\xaf"), mark + mark);                        // longer than needed
  EXPECT_EQ(clean_text("\xed\xa0\x80"), mark + mark + mark);             // half of a pair
  EXPECT_EQ(clean_text("\xf4\x90\x80\x80"), mark + mark + mark + mark);  // beyond Unicode
  EXPECT_EQ(clean_text("\xef\xbf\xbf"), mark + mark + mark);             // no character
}

}  // namespace
}  // namespace assay::sanitizer
