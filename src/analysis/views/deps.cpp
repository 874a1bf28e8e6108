// See deps.h.
#include "analysis/views/deps.h"

#include <fmt/format.h>

#include "analysis/critical_path.h"
#include "analysis/query.h"
#include "analysis/work_totals.h"

namespace assay::analysis {
namespace {

using trace::Statement;

constexpr int kReasons = 4;

Result<void> send_totals(const trace::Document& document, RowSink& sink) {
  const Result<CriticalPath> path = compute_critical_path(document);
  if (!path) return path.error();
  using enum ColumnKind;
  Table chain{{"critical_path",
               "Longest chain of commands that need each other",
               {{"commands", "commands", kCount},
                {"time_ns", "time", kDuration},
                {"all_commands", "of all", kCount},
                {"all_time_ns", "of all time", kDuration},
                {"parallel", "could overlap", kText}}}};
  const double gain =
      path->time > 0 ? static_cast<double>(path->all_time) / static_cast<double>(path->time) : 1;
  chain.rows.push_back({path->commands, path->time, path->all_commands, path->all_time,
                        fmt::format("{:.2f}×", gain)});
  chain.send_to(sink);

  Table reasons{{"reasons", "Reasons", {{"reason", "reason", kText}, {"count", "count", kCount}}}};
  const Result<void> read = for_each_row(
      document, "SELECT kind, count(*) FROM dependencies GROUP BY kind", [&](const Statement& row) {
        reasons.rows.push_back({std::string(dependency_reason(row.integer(0))), row.integer(1)});
      });
  if (!read) return read;
  reasons.send_to(sink);
  return {};
}

}  // namespace

std::string_view dependency_reason(int64_t kind) {
  constexpr std::string_view kTexts[kReasons] = {"reads what it wrote", "writes what it read",
                                                 "writes what it wrote", "waits for its event"};
  return kind >= 0 && kind < kReasons ? kTexts[kind] : "unknown";
}

Result<void> run_deps(const trace::Document& document, const ViewOptions& options, RowSink& sink) {
  if (Result<void> sent = send_totals(document, sink); !sent) return sent;
  using enum ColumnKind;
  sink.begin({"dependencies",
              "Commands and what they need",
              {{"command", "#", kCount},
               {"kernel", "kernel", kText},
               {"needs", "needs #", kCount},
               {"needs_kernel", "which is", kText},
               {"reason", "because it", kText},
               {"buffer", "buffer", kCount},
               {"buffer_bytes", "size", kBytes},
               {"site", "from", kText}}});
  int64_t shown = 0, left_out = 0;
  const Result<void> read = for_each_row(
      document,
      "SELECT d.command, ck.name, c.kind, d.needs, nk.name, n.kind, d.kind, d.buffer, b.bytes, "
      "s.text FROM dependencies AS d LEFT JOIN commands AS c ON c.id = d.command "
      "LEFT JOIN kernels AS ck ON ck.id = c.kernel LEFT JOIN commands AS n ON n.id = d.needs "
      "LEFT JOIN kernels AS nk ON nk.id = n.kernel LEFT JOIN buffers AS b ON b.id = d.buffer "
      "LEFT JOIN texts AS s ON s.id = c.site WHERE ?1 = '' OR instr(ck.name, ?1)",
      [&](const Statement& row) {
        if (options.limit && shown == *options.limit) {
          ++left_out;
          return;
        }
        ++shown;
        auto name = [&](int column, int kind) {
          return row.is_null(column) ? kind_name(row.integer(kind)) : std::string(row.text(column));
        };
        const bool has_buffer = row.integer(7) != 0;
        const Cell cells[] = {row.integer(0),
                              name(1, 2),
                              row.integer(3),
                              name(4, 5),
                              std::string(dependency_reason(row.integer(6))),
                              has_buffer ? Cell(row.integer(7)) : Cell(),
                              has_buffer ? Cell(row.integer(8)) : Cell(),
                              std::string(row.text(9))};
        sink.row(cells);
      },
      options.kernel);
  sink.end(left_out);
  return read;
}

}  // namespace assay::analysis
