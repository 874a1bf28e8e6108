// See row_reader.h.
#include "replay/row_reader.h"

#include <fmt/format.h>

#include "trace/stored_hash.h"

namespace assay::replay {

RowReader::RowReader(const trace::Statement& row, std::string_view table, std::string_view key)
    : row_(row), table_(table), key_(key) {}

void RowReader::fail(std::string_view what) {
  if (!error_.empty()) return;
  error_ = fmt::format("table '{}', row with {} {}: {}", table_, key_, row_.integer(0), what);
}

int64_t RowReader::integer(std::string_view name, NumberLimits limits) {
  const int column = column_++;
  if (!row_.is_number(column)) {
    fail(fmt::format("'{}' is no number", name));
    return 0;
  }
  const int64_t value = row_.integer(column);
  if (value >= limits.min && value <= limits.max) return value;
  fail(fmt::format("'{}' is {}", name, value));
  return 0;
}

std::optional<int64_t> RowReader::optional_integer(std::string_view name, NumberLimits limits) {
  if (!row_.is_null(column_)) return integer(name, limits);
  ++column_;
  return std::nullopt;
}

std::string RowReader::text(std::string_view name) {
  const int column = column_++;
  if (row_.is_null(column)) fail(fmt::format("'{}' is missing", name));
  return std::string(row_.text(column));
}

std::optional<std::string> RowReader::optional_text(std::string_view name) {
  if (!row_.is_null(column_)) return text(name);
  ++column_;
  return std::nullopt;
}

std::optional<base::Hash128> RowReader::optional_hash(std::string_view name) {
  const int column = column_++;
  if (row_.is_null(column)) return std::nullopt;
  std::optional<base::Hash128> hash = trace::load_hash(row_.bytes(column));
  if (!hash) fail(fmt::format("'{}' is no hash of 16 bytes", name));
  return hash;
}

Result<void> RowReader::finish() const {
  if (error_.empty()) return {};
  return Error{error_};
}

}  // namespace assay::replay
