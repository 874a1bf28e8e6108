// Rows of a document one by one.
#pragma once

#include <string_view>
#include <type_traits>

#include "trace/document.h"

namespace assay::analysis {

// Calls `use` with the statement at each row; one that returns false ends the walk. `values` are
// bound in order.
template <typename Use, typename... Values>
Result<void> for_each_row(const trace::Document& document, std::string_view sql, Use&& use,
                          const Values&... values) {
  Result<trace::Statement> rows = document.prepare(sql);
  if (!rows) return rows.error();
  (rows->bind(values), ...);
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return document.error(row.error().message);
    if (!*row) return {};
    if constexpr (std::is_same_v<decltype(use(*rows)), bool>) {
      if (!use(*rows)) return {};
    } else {
      use(*rows);
    }
  }
}

// The number in the first column of the first row; 0 where there is none.
template <typename... Values>
Result<int64_t> load_number(const trace::Document& document, std::string_view sql,
                            const Values&... values) {
  int64_t number = 0;
  const Result<void> read = for_each_row(
      document, sql, [&](const trace::Statement& row) { number = row.integer(0); }, values...);
  if (!read) return read.error();
  return number;
}

}  // namespace assay::analysis
