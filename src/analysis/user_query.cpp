// See user_query.h.
#include "analysis/user_query.h"

#include <fmt/format.h>

namespace assay::analysis {
namespace {

// Numbers stay numbers; bytes are shown as SQLite writes them.
Cell cell_of(const trace::Statement& row, int column) {
  if (row.is_null(column)) return {};
  if (row.is_integer(column)) return row.integer(column);
  if (row.is_number(column)) return row.real(column);
  if (!row.is_blob(column)) return std::string(row.text(column));
  std::string text = "x'";
  for (const std::byte byte : row.bytes(column)) text += fmt::format("{:02x}", byte);
  return text + "'";
}

}  // namespace

Result<void> run_user_query(trace::Document& document, const UserQuery& query, RowSink& sink) {
  trace::Database& database = document.database();
  database.allow_only_queries();
  database.set_time_limit(query.time_limit_s);
  Result<trace::Statement> rows = database.prepare(query.sql);
  if (!rows) return Error{fmt::format("the statement is wrong: {}", rows.error().message)};
  TableHead head{.name = "rows", .title = "", .columns = {}, .keeps_columns = true};
  for (int i = 0; i < rows->column_count(); ++i) {
    const std::string name = rows->column_name(i);
    head.columns.push_back({name, name, ColumnKind::kText});
  }
  sink.begin(head);
  std::vector<Cell> cells(head.columns.size());
  int64_t shown = 0, left_out = 0;
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) return Error{fmt::format("the statement failed: {}", row.error().message)};
    if (!*row) break;
    if (query.limit && shown == *query.limit) {
      ++left_out;
      continue;
    }
    ++shown;
    for (int i = 0; i < rows->column_count(); ++i)
      cells[static_cast<size_t>(i)] = cell_of(*rows, i);
    sink.row(cells);
  }
  sink.end(left_out);
  return {};
}

}  // namespace assay::analysis
