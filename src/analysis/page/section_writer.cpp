// See section_writer.h.
#include "analysis/page/section_writer.h"

#include <algorithm>
#include <cstring>

namespace assay::analysis {

namespace {
constexpr size_t kSizeAt = 8;
constexpr size_t kHeaderBytes = 16;
}  // namespace

SectionWriter::SectionWriter() : piece_("assaypg1") { piece_.resize(kHeaderBytes, '\0'); }

std::string SectionWriter::finish() {
  tables["columns"] = std::move(columns_);
  const std::string json = tables.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto size = static_cast<uint32_t>(json.size());
  std::memcpy(piece_.data() + kSizeAt, &size, sizeof size);
  piece_ += json;
  return std::move(piece_);
}

double page_number(int64_t value) {
  constexpr int64_t kMost = int64_t{1} << 53;
  return static_cast<double>(std::clamp(value, -kMost, kMost));
}

}  // namespace assay::analysis
