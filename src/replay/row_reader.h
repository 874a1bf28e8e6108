// Reads the columns of one row of a document and checks them on the way.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "trace/database.h"
#include "trace/records.h"

namespace assay::replay {

struct NumberLimits {
  int64_t min = 0;
  int64_t max = std::numeric_limits<int64_t>::max();
};

// After the first column that is wrong the others give zeros and empty texts; finish() has the
// error, which names table, row and column.
class RowReader {
 public:
  RowReader(const trace::Statement& row, std::string_view table, std::string_view key = "id");

  static constexpr NumberLimits kAny = {std::numeric_limits<int64_t>::min(),
                                        std::numeric_limits<int64_t>::max()};

  // Columns are read in their order.
  int64_t integer(std::string_view name, NumberLimits limits = {});
  std::optional<int64_t> optional_integer(std::string_view name, NumberLimits limits = {});
  uint32_t size(std::string_view name) {
    return static_cast<uint32_t>(integer(name, {0, std::numeric_limits<uint32_t>::max()}));
  }
  std::string text(std::string_view name);
  std::optional<std::string> optional_text(std::string_view name);
  std::optional<base::Hash128> optional_hash(std::string_view name);

  // Something else that is wrong with the row.
  void fail(std::string_view what);

  bool is_valid() const { return error_.empty(); }
  Result<void> finish() const;

 private:
  const trace::Statement& row_;
  const std::string_view table_;
  const std::string_view key_;
  int column_ = 0;
  std::string error_;
};

}  // namespace assay::replay
