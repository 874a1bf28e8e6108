// Numbers keep three significant digits: enough to compare, short enough for a column.
#include "base/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "base/ensure.h"

namespace assay::base {

namespace {

// Picks digits after the point so that three digits remain, also where rounding adds one (9.996).
std::string three_digits(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

// Divides by `step` until the number has at most three digits before the point.
std::string scale(double value, double step, std::span<const std::string_view> units) {
  size_t unit = 0;
  while (value >= std::min(step, 999.5) && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string_view escape_code(Colour colour) {
  switch (colour) {
    case Colour::kRed: return "\033[31m";
    case Colour::kGreen: return "\033[32m";
    case Colour::kYellow: return "\033[33m";
    case Colour::kBlue: return "\033[34m";
    case Colour::kGrey: return "\033[90m";
    case Colour::kBold: return "\033[1m";
  }
  return "";
}

void append_cell(std::string& line, std::string_view cell, size_t width, Align align) {
  const size_t padding = width - display_width(cell);
  if (align == Align::kRight) line.append(padding, ' ');
  line += cell;
  if (align == Align::kLeft) line.append(padding, ' ');
}

}  // namespace

std::string format_bytes(uint64_t bytes) {
  static constexpr std::array<std::string_view, 7> kUnits = {"B",   "KiB", "MiB", "GiB",
                                                             "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} B", bytes);
  return scale(static_cast<double>(bytes) / 1024, 1024, std::span(kUnits).subspan(1));
}

std::string format_duration(double nanoseconds) {
  static constexpr std::array<std::string_view, 4> kUnits = {"ns", "µs", "ms", "s"};
  return scale(nanoseconds, 1000, kUnits);
}

std::string format_rate(double bytes, double nanoseconds) {
  if (!(nanoseconds > 0)) return "-";
  return fmt::format("{} GB/s", three_digits(bytes / nanoseconds));
}

std::string paint(std::string_view text, Colour colour, bool is_enabled) {
  if (!is_enabled) return std::string(text);
  return fmt::format("{}{}\033[0m", escape_code(colour), text);
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      i = std::min(text.find('m', i), text.size() - 1);
    } else if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) {
      ++width;  // not a continuation byte
    }
  }
  return width;
}

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

void Table::add_row(std::vector<std::string> cells) {
  ASSAY_ENSURE(cells.size() <= columns_.size(), "a table row has more cells than columns");
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::string Table::text() const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);

  std::vector<size_t> widths;
  for (const std::string& title : titles) widths.push_back(display_width(title));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], display_width(row[i]));
  }

  std::string text;
  auto append_line = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) line += "  ";
      append_cell(line, cells[i], widths[i], columns_[i].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  };
  append_line(titles);
  for (const auto& row : rows_) append_line(row);
  return text;
}

}  // namespace assay::base
