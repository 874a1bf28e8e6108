// Reads a document as tools do, for tests with damaged ones: whatever is in it, this returns.
#pragma once

#include <string>

#include "trace/document.h"

namespace assay::trace::testing {

struct ReadTotals {
  int64_t rows = 0;
  int64_t content_bytes = 0;
  int64_t errors = 0;
};

inline void read_rows(const Document& document, const std::string& table, ReadTotals& totals) {
  Result<Statement> rows = document.prepare("SELECT * FROM " + table);
  if (!rows) {
    ++totals.errors;
    return;
  }
  while (true) {
    const Result<bool> row = rows->step();
    if (!row) ++totals.errors;
    if (!row || !*row) return;
    ++totals.rows;
    for (int i = 0; i < rows->column_count(); ++i) {
      totals.content_bytes += static_cast<int64_t>(rows->bytes(i).size() + rows->text(i).size());
      if (rows->optional_integer(i).value_or(0) == -1 && rows->real(i) > 0) ++totals.errors;
    }
  }
}

// Contents above `max_bytes` count as errors.
inline ReadTotals read_everything(const Document& document, int64_t max_bytes) {
  ReadTotals totals;
  for (const char* table :
       {"facts",        "texts",    "contents",        "content_parts", "processes",
        "threads",      "spans",    "measurements",    "queues",        "kernels",
        "compilations", "buffers",  "command_buffers", "commands",      "launches",
        "arrays",       "bindings", "dependencies",    "memory",        "notes"}) {
    read_rows(document, table, totals);
  }
  // The first ones: a damaged table can go round in circles.
  Result<Statement> ids = document.prepare("SELECT id FROM contents LIMIT 20");
  while (ids) {
    const Result<bool> row = ids->step();
    if (!row || !*row) break;
    if (!document.content(ids->integer(0), max_bytes)) ++totals.errors;
  }
  if (!document.text(1)) ++totals.errors;
  (void)document.is_complete();
  return totals;
}

}  // namespace assay::trace::testing
