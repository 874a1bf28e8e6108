#include "base/format.h"

#include <gtest/gtest.h>

namespace assay::base {

TEST(Format, shows_bytes_in_three_digits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1023 B");
  EXPECT_EQ(format_bytes(1024), "1.00 KiB");
  EXPECT_EQ(format_bytes(1536), "1.50 KiB");
  EXPECT_EQ(format_bytes(uint64_t{1} << 24), "16.0 MiB");
  EXPECT_EQ(format_bytes(1023 * 1024), "1.00 MiB");
  EXPECT_EQ(format_bytes(~uint64_t{0}), "16.0 EiB");
}

TEST(Format, shows_durations_in_three_digits) {
  EXPECT_EQ(format_duration(0), "0.00 ns");
  EXPECT_EQ(format_duration(850), "850 ns");
  EXPECT_EQ(format_duration(999.7), "1.00 µs");
  EXPECT_EQ(format_duration(12345), "12.3 µs");
  EXPECT_EQ(format_duration(9996), "10.0 µs");
  EXPECT_EQ(format_duration(4.56e6), "4.56 ms");
  EXPECT_EQ(format_duration(7.2e12), "7200 s");
}

TEST(Format, shows_rates_of_bytes_per_nanosecond) {
  EXPECT_EQ(format_rate(1e9, 1e9), "1.00 GB/s");
  EXPECT_EQ(format_rate(123456, 1000), "123 GB/s");
  EXPECT_EQ(format_rate(123456, 0), "-");
}

TEST(Format, paints_only_when_asked) {
  EXPECT_EQ(paint("wrong", Colour::kRed, true), "\033[31mwrong\033[0m");
  EXPECT_EQ(paint("wrong", Colour::kRed, false), "wrong");
}

TEST(Format, measures_characters_not_bytes_or_escape_codes) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("12 µs"), 5u);
  EXPECT_EQ(display_width(paint("wrong", Colour::kRed, true)), 5u);
  EXPECT_EQ(display_width("cut\033[3"), 3u);
}

TEST(Table, aligns_columns_with_wide_characters_and_colours) {
  Table table({{"kernel"}, {"time", Align::kRight}, {"result"}});
  table.add_row({"axpy", "12 µs", paint("correct", Colour::kGreen, true)});
  table.add_row({"row_sum_of_all", "1234 ms"});
  EXPECT_EQ(table.text(),
            "kernel             time  result\n"
            "axpy              12 µs  \033[32mcorrect\033[0m\n"
            "row_sum_of_all  1234 ms\n");
}

TEST(Table, shows_its_header_without_rows) {
  EXPECT_EQ(Table({{"a"}, {"b", Align::kRight}}).text(), "a  b\n");
}

TEST(TableDeathTest, stops_on_a_row_with_too_many_cells) {
  Table table({{"a"}});
  EXPECT_DEATH(table.add_row({"1", "2"}), "more cells than columns");
}

}  // namespace assay::base
