// See json_rows.h.
#include "analysis/json_rows.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace assay::analysis {

std::string json_string(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string json_value(const Cell& cell) {
  if (const auto* number = std::get_if<int64_t>(&cell)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&cell)) return json_string(*text);
  const auto* real = std::get_if<double>(&cell);
  return real && std::isfinite(*real) ? fmt::format("{}", *real) : "null";
}

void JsonRows::begin(const TableHead& head) {
  head_ = head;
  output_ << (is_first_table_ ? "\n  " : ",\n  ") << json_string(head.name) << ": [";
  is_first_table_ = false;
  is_first_row_ = true;
}

void JsonRows::row(std::span<const Cell> cells) {
  output_ << (is_first_row_ ? "\n    {" : ",\n    {");
  is_first_row_ = false;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) output_ << ", ";
    output_ << json_string(head_.columns[i].name) << ": " << json_value(cells[i]);
  }
  output_ << "}";
}

void JsonRows::end(int64_t left_out) {
  output_ << (is_first_row_ ? "]" : "\n  ]");
  if (left_out == 0) return;
  left_out_ +=
      fmt::format("{}{}: {}", left_out_.empty() ? "" : ", ", json_string(head_.name), left_out);
}

void JsonRows::close() {
  if (!left_out_.empty()) output_ << ",\n  \"left_out\": {" << left_out_ << "}";
  output_ << "\n}\n";
}

}  // namespace assay::analysis
