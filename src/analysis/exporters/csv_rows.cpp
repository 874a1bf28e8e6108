// See csv_rows.h.
#include "analysis/exporters/csv_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay::analysis {
namespace {

std::string quoted(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char each : text) {
    if (each == '"') result += '"';
    result += each;
  }
  return result + '"';
}

std::string value(const Cell& cell) {
  if (const auto* number = std::get_if<int64_t>(&cell)) return fmt::format("{}", *number);
  if (const auto* real = std::get_if<double>(&cell)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string>(&cell)) return quoted(*text);
  return {};
}

}  // namespace

void CsvRows::begin(const TableHead& head) {
  if (table_.empty()) table_ = head.name;
  names_.push_back(head.name);
  is_taken_ = head.name == table_;
  has_taken_ = has_taken_ || is_taken_;
  if (!is_taken_) return;
  for (size_t i = 0; i < head.columns.size(); ++i) {
    output_ << (i > 0 ? "," : "") << quoted(head.columns[i].name);
  }
  output_ << "\n";
}

void CsvRows::row(std::span<const Cell> cells) {
  if (!is_taken_) return;
  for (size_t i = 0; i < cells.size(); ++i) output_ << (i > 0 ? "," : "") << value(cells[i]);
  output_ << "\n";
}

void CsvRows::end(int64_t /*left_out*/) {}

Result<void> CsvRows::finish() const {
  if (has_taken_) return {};
  return Error{
      fmt::format("there is no table '{}'; there are {}", table_, fmt::join(names_, ", "))};
}

}  // namespace assay::analysis
