// See table_text.h.
#include "cli/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/format.h"

namespace assay::cli {
namespace {

using analysis::Cell;
using analysis::ColumnKind;

constexpr size_t kRowsAtOnce = 1000;
constexpr size_t kMaxWidth = 60;

// One line of printable characters, cut where it is too long for a column.
std::string clean(std::string_view text, size_t max_width) {
  std::string result;
  size_t width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0) != 0x80 && ++width > max_width) return result + "…";
    result += byte < 0x20 || byte == 0x7f ? ' ' : text[i];
  }
  return result;
}

double number_of(const Cell& cell) {
  if (const auto* number = std::get_if<int64_t>(&cell)) return static_cast<double>(*number);
  const auto* real = std::get_if<double>(&cell);
  return real ? *real : 0;
}

std::string signed_bytes(const Cell& cell) {
  const auto* bytes = std::get_if<int64_t>(&cell);
  const int64_t value = bytes ? *bytes : 0;
  const auto size = static_cast<uint64_t>(value);
  return value < 0 ? "-" + base::format_bytes(uint64_t{0} - size) : base::format_bytes(size);
}

base::Colour colour_of(std::string_view text) {
  if (text == "slower" || text == "appeared") return base::Colour::kRed;
  if (text == "faster" || text == "vanished") return base::Colour::kGreen;
  return base::Colour::kGrey;
}

}  // namespace

std::string cell_text(const Cell& cell, ColumnKind kind, size_t max_width) {
  if (std::holds_alternative<std::monostate>(cell)) return "-";
  if (const auto* text = std::get_if<std::string>(&cell)) return clean(*text, max_width);
  const double number = number_of(cell);
  switch (kind) {
    case ColumnKind::kText:
    case ColumnKind::kCount: break;
    case ColumnKind::kBytes: return signed_bytes(cell);
    case ColumnKind::kDuration:
    case ColumnKind::kTime:
      return (number < 0 ? "-" : "") + base::format_duration(std::abs(number));
    case ColumnKind::kPercent: return fmt::format("{:.1f} %", number);
    case ColumnKind::kRate: return base::format_rate(number, 1);
  }
  if (const auto* count = std::get_if<int64_t>(&cell)) return fmt::format("{}", *count);
  return fmt::format("{}", number);
}

void TableText::begin(const analysis::TableHead& head) {
  head_ = head;
  rows_.clear();
  has_printed_rows_ = false;
  if (!is_first_table_) console_.print("\n");
  is_first_table_ = false;
  if (!head.title.empty()) {
    console_.print(console_.paint(head.title, base::Colour::kBold) + "\n");
  }
}

void TableText::row(std::span<const Cell> cells) {
  rows_.emplace_back(cells.begin(), cells.end());
  if (rows_.size() == kRowsAtOnce) print_rows();
}

void TableText::end(int64_t left_out) {
  if (head_.is_record && rows_.size() == 1) {
    print_list();
  } else if (!rows_.empty() || !has_printed_rows_) {
    print_rows();
  }
  if (left_out > 0) {
    console_.print(fmt::format("… and {} more{}\n", left_out, more_.empty() ? "" : "; " + more_));
  }
}

// Where no row has anything to say, a column is only in the way.
bool TableText::is_shown(size_t column) const {
  if (head_.keeps_columns) return true;
  return std::ranges::any_of(rows_, [&](const std::vector<Cell>& row) {
    return !std::holds_alternative<std::monostate>(row[column]);
  });
}

base::Align TableText::align_of(size_t column) const {
  if (head_.columns[column].kind != ColumnKind::kText) return base::Align::kRight;
  const bool has_number = std::ranges::any_of(rows_, [&](const std::vector<Cell>& row) {
    return std::holds_alternative<int64_t>(row[column]) ||
           std::holds_alternative<double>(row[column]);
  });
  return has_number ? base::Align::kRight : base::Align::kLeft;
}

void TableText::print_rows() {
  if (rows_.empty()) {
    console_.print("none\n");
    return;
  }
  std::vector<size_t> shown;
  for (size_t i = 0; i < head_.columns.size(); ++i) {
    if (is_shown(i)) shown.push_back(i);
  }
  std::vector<base::Table::Column> columns;
  for (const size_t i : shown) {
    columns.push_back({clean(head_.columns[i].title, kMaxWidth), align_of(i)});
  }
  base::Table table(std::move(columns));
  for (const std::vector<Cell>& row : rows_) {
    std::vector<std::string> cells;
    for (const size_t i : shown) {
      // Nothing stands behind the last column: it may be as long as it is.
      const size_t max_width = i == shown.back() ? std::string::npos : kMaxWidth;
      std::string text = cell_text(row[i], head_.columns[i].kind, max_width);
      if (head_.columns[i].name == "change") text = console_.paint(text, colour_of(text));
      cells.push_back(std::move(text));
    }
    table.add_row(std::move(cells));
  }
  console_.print(table.text());
  rows_.clear();
  has_printed_rows_ = true;
}

void TableText::print_list() {
  size_t width = 0;
  for (const analysis::Column& column : head_.columns) {
    width = std::max(width, base::display_width(column.title));
  }
  for (size_t i = 0; i < head_.columns.size(); ++i) {
    const std::string& title = head_.columns[i].title;
    console_.print(
        fmt::format("{}{}  {}\n", title, std::string(width - base::display_width(title), ' '),
                    cell_text(rows_.front()[i], head_.columns[i].kind, std::string::npos)));
  }
}

}  // namespace assay::cli
