// See commands.h.
#include "analysis/views/commands.h"

#include <fmt/format.h>

#include "analysis/query.h"
#include "analysis/work_totals.h"

namespace assay::analysis {
namespace {

// Conditions are part of the text only where they are asked for: plain walks stay fast.
struct Filter {
  std::string joins, condition = "1";
  std::vector<std::string> values;
};

Filter make_filter(const ViewOptions& options) {
  Filter filter;
  if (!options.kernel.empty()) {
    filter.joins += " LEFT JOIN kernels AS k ON k.id = commands.kernel";
    filter.condition += " AND instr(k.name, ?)";
    filter.values.push_back(options.kernel);
  }
  if (!options.queue.empty()) {
    filter.joins +=
        " JOIN command_buffers AS b ON b.id = commands.command_buffer "
        "JOIN queues AS q ON q.id = b.queue";
    filter.condition += " AND instr(q.label, ?)";
    filter.values.push_back(options.queue);
  }
  return filter;
}

// The columns of one command; by id.
constexpr const char* kColumns =
    "SELECT c.id, q.label, c.kind, k.name, t.text, s.text, c.started, c.ended - c.started, "
    "l.counts_threads, l.grid_x, l.grid_y, l.grid_z, l.group_x, l.group_y, l.group_z, "
    "(SELECT sum(range_end - range_begin) FROM bindings WHERE command = c.id AND kind = 0 "
    "AND access & 1), "
    "(SELECT sum(range_end - range_begin) FROM bindings WHERE command = c.id AND kind = 0 "
    "AND access & 2), c.error, m.text, "
    "(SELECT group_concat(name, ', ') FROM (SELECT DISTINCT a.name FROM bindings AS u "
    "JOIN arrays AS a ON a.id = u.array WHERE u.command = c.id AND u.access & 1 AND a.name != '' "
    "ORDER BY u.slot)), "
    "(SELECT group_concat(name, ', ') FROM (SELECT DISTINCT a.name FROM bindings AS u "
    "JOIN arrays AS a ON a.id = u.array WHERE u.command = c.id AND u.access & 2 AND a.name != '' "
    "ORDER BY u.slot)) "
    "FROM commands AS c LEFT JOIN command_buffers AS b ON b.id = c.command_buffer "
    "LEFT JOIN queues AS q ON q.id = b.queue LEFT JOIN kernels AS k ON k.id = c.kernel "
    "LEFT JOIN texts AS t ON t.id = c.label LEFT JOIN texts AS s ON s.id = c.site "
    "LEFT JOIN launches AS l ON l.id = c.launch LEFT JOIN texts AS m ON m.id = b.label "
    "WHERE c.id = ?";

std::string sizes_text(const trace::Statement& row, int column) {
  std::string text = fmt::format("{}", row.integer(column));
  const bool has_z = row.integer(column + 2) != 1;
  if (has_z || row.integer(column + 1) != 1) text += fmt::format("×{}", row.integer(column + 1));
  if (has_z) text += fmt::format("×{}", row.integer(column + 2));
  return text;
}

Cell launch_text(const trace::Statement& row) {
  if (row.is_null(8)) return {};
  return fmt::format("{} {} of {}", sizes_text(row, 9), row.integer(8) != 0 ? "threads" : "groups",
                     sizes_text(row, 12));
}

Cell optional_number(const trace::Statement& row, int column) {
  return row.is_null(column) ? Cell() : Cell(row.integer(column));
}

// Arrays with names of the user: "x, weights → y".
Cell named_arrays(const trace::Statement& row, int reads, int writes) {
  std::string text(row.text(reads));
  if (!row.is_null(writes)) {
    text += (text.empty() ? "→ " : " → ") + std::string(row.text(writes));
  }
  return text.empty() ? Cell() : Cell(std::move(text));
}

Cell optional_text(const trace::Statement& row, int column) {
  return row.text(column).empty() ? Cell() : Cell(std::string(row.text(column)));
}

void send_command(const trace::Statement& row, RowSink& sink) {
  const std::string name = row.is_null(3) ? kind_name(row.integer(2)) : std::string(row.text(3));
  const Cell cells[] = {row.integer(0),
                        std::string(row.text(1)),
                        row.integer(6),
                        row.integer(7),
                        name,
                        std::string(row.text(4)),
                        launch_text(row),
                        optional_number(row, 15),
                        optional_number(row, 16),
                        named_arrays(row, 19, 20),
                        optional_text(row, 18),
                        std::string(row.text(5)),
                        row.is_null(17) ? Cell() : Cell(std::string(row.text(17)))};
  sink.row(cells);
}

}  // namespace

Result<void> run_commands(const trace::Document& document, const ViewOptions& options,
                          RowSink& sink) {
  using enum ColumnKind;
  sink.begin({"commands",
              "",
              {{"command", "#", kCount},
               {"queue", "queue", kText},
               {"started_ns", "start", kTime},
               {"duration_ns", "time", kDuration},
               {"kernel", "kernel", kText},
               {"operation", "operation", kText},
               {"launch", "launch", kText},
               {"bytes_read", "read", kBytes},
               {"bytes_written", "written", kBytes},
               {"arrays", "arrays", kText},
               {"label", "label", kText},
               {"site", "from", kText},
               {"error", "error", kText}}});
  const Filter filter = make_filter(options);
  Result<trace::Statement> ids = document.prepare(
      fmt::format("SELECT commands.id FROM commands{} WHERE {} ORDER BY commands.id", filter.joins,
                  filter.condition));
  if (!ids) return ids.error();
  Result<trace::Statement> command = document.prepare(kColumns);
  if (!command) return command.error();
  for (const std::string& value : filter.values) ids->bind(value);
  int64_t shown = 0, left_out = 0;
  while (true) {
    const Result<bool> row = ids->step();
    if (!row) return document.error(row.error().message);
    if (!*row) break;
    if (options.limit && shown == *options.limit) {
      ++left_out;
      continue;
    }
    ++shown;
    const Result<bool> found = command->bind(ids->integer(0)).step();
    if (!found) return document.error(found.error().message);
    if (*found) send_command(*command, sink);
    command->reset();
  }
  sink.end(left_out);
  return {};
}

}  // namespace assay::analysis
