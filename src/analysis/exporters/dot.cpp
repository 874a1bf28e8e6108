// See dot.h.
#include "analysis/exporters/dot.h"

#include <fmt/format.h>

#include "analysis/query.h"
#include "analysis/views/deps.h"
#include "analysis/work_totals.h"
#include "base/format.h"

namespace assay::analysis {
namespace {

using trace::Id;
using trace::Statement;

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') result += '\\';
    result += each == '\n' ? ' ' : each;
  }
  return result + '"';
}

Result<void> add_queue(const trace::Document& document, Id queue, Id last, Output& output) {
  return for_each_row(
      document,
      "SELECT c.id, c.kind, k.name, c.ended - c.started, s.text FROM commands AS c "
      "JOIN command_buffers AS b ON b.id = c.command_buffer "
      "LEFT JOIN kernels AS k ON k.id = c.kernel LEFT JOIN texts AS s ON s.id = c.site "
      "WHERE b.queue = ? AND c.id <= ? ORDER BY c.id",
      [&](const Statement& row) {
        const std::string name =
            row.is_null(2) ? kind_name(row.integer(1)) : std::string(row.text(2));
        const std::string time = base::format_duration(static_cast<double>(row.integer(3)));
        output << fmt::format("    c{} [label={}, tooltip={}];\n", row.integer(0),
                              quoted(fmt::format("#{} {} {}", row.integer(0), name, time)),
                              quoted(row.text(4)));
      },
      queue, last);
}

}  // namespace

Result<int64_t> export_dot(const trace::Document& document, std::optional<int64_t> limit,
                           Output& output) {
  const Result<int64_t> count = load_number(document, "SELECT count(*) FROM commands");
  if (!count) return count.error();
  const Result<int64_t> last =
      load_number(document, "SELECT max(id) FROM (SELECT id FROM commands ORDER BY id LIMIT ?)",
                  limit.value_or(*count));
  if (!last) return last.error();
  output << "digraph dependencies {\n  rankdir=TB;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  Result<void> added;
  Result<void> read =
      for_each_row(document, "SELECT id, label FROM queues ORDER BY id", [&](const Statement& row) {
        output << fmt::format("  subgraph cluster_{} {{\n    label={};\n", row.integer(0),
                              quoted(row.text(1)));
        added = add_queue(document, row.integer(0), *last, output);
        output << "  }\n";
        return added.ok();
      });
  if (read && added) {
    read = for_each_row(
        document,
        "SELECT command, needs, min(kind) FROM dependencies WHERE command <= ? GROUP BY command, "
        "needs",
        [&](const Statement& row) {
          const bool is_data = row.integer(2) == 0;
          output << fmt::format("  c{} -> c{} [tooltip={}{}];\n", row.integer(1), row.integer(0),
                                quoted(dependency_reason(row.integer(2))),
                                is_data ? "" : ", style=dashed");
        },
        *last);
  }
  output << "}\n";
  if (!read) return read.error();
  if (!added) return added.error();
  return std::max<int64_t>(0, *count - limit.value_or(*count));
}

}  // namespace assay::analysis
