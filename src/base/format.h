// Text for people at a terminal: sizes, times, rates, aligned tables and colours. Only builds
// strings; whoever calls decides where they go and whether colours are wanted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace assay::base {

// "0 B", "1023 B", "1.50 KiB", "16.0 MiB": three digits, powers of 1024.
std::string format_bytes(uint64_t bytes);

// "850 ns", "12.3 µs", "4.56 ms", "7.89 s": three digits.
std::string format_duration(double nanoseconds);

// "12.3 GB/s", powers of 1000 as memory vendors count; "-" when the time is not positive.
std::string format_rate(double bytes, double nanoseconds);

enum class Colour : uint8_t { kRed, kGreen, kYellow, kBlue, kGrey, kBold };

// Escape codes around the text, or the text itself when `is_enabled` is false.
std::string paint(std::string_view text, Colour colour, bool is_enabled);

// Columns the text takes on a terminal: UTF-8 characters, without escape codes.
size_t display_width(std::string_view text);

enum class Align : uint8_t { kLeft, kRight };

// Rows of cells under a header line, columns as wide as their widest cell and two spaces apart.
class Table {
 public:
  struct Column {
    std::string title;
    Align align = Align::kLeft;
  };

  explicit Table(std::vector<Column> columns);

  // Missing cells at the end stay empty; there must not be more cells than columns.
  void add_row(std::vector<std::string> cells);

  // Lines end in '\n' and have no trailing spaces.
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace assay::base
