// See section_writer.h.
#include "analysis/page/section_writer.h"

#include <algorithm>
#include <cstring>

namespace assay::analysis {

std::string SectionWriter::finish() {
  tables["columns"] = std::move(columns_);
  std::string json = tables.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  json.resize((json.size() + 7) / 8 * 8, ' ');
  const auto size = static_cast<uint32_t>(json.size());
  std::string piece = "assaypg1";
  piece.append(reinterpret_cast<const char*>(&size), sizeof size);
  piece.append(4, '\0');
  piece.reserve(piece.size() + json.size() + data_.size());
  piece += json;
  piece += data_;
  data_.clear();
  return piece;
}

double page_number(int64_t value) {
  constexpr int64_t kMost = int64_t{1} << 53;
  return static_cast<double>(std::clamp(value, -kMost, kMost));
}

}  // namespace assay::analysis
