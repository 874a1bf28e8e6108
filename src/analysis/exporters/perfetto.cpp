// See perfetto.h. The form is Chrome's "Trace Event Format": times are microseconds.
#include "analysis/exporters/perfetto.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/json_rows.h"
#include "analysis/query.h"
#include "analysis/views/deps.h"
#include "analysis/work_totals.h"
#include "analysis/wrapping.h"

namespace assay::analysis {
namespace {

using trace::Statement;

// Where an event is shown. Processes that nobody knows have the number 0.
struct Track {
  int64_t process = 0;
  int64_t number = 0;
};
constexpr int64_t kFirstProcess = 1;
constexpr int64_t kCompilations = 0;  // a track beside those of the queues, whose ids start at 1

// Of a host thread: far from the ids of queues.
int64_t thread_track(int64_t thread) {
  constexpr int64_t kThreads = 1'000'000'000;
  return wrapping_add(kThreads, thread);
}

std::string microseconds(int64_t ns) {
  const char* sign = ns < 0 ? "-" : "";
  const uint64_t size =
      ns < 0 ? uint64_t{0} - static_cast<uint64_t>(ns) : static_cast<uint64_t>(ns);
  return fmt::format("{}{}.{:03}", sign, size / 1000, size % 1000);
}

class Events {
 public:
  explicit Events(Output& output) : output_(output) {}

  // The fields that every event has, and `rest`, which are more of them.
  void add(char phase, std::string_view name, Track track, int64_t at, std::string_view rest) {
    output_ << (is_first_ ? "\n" : ",\n");
    is_first_ = false;
    output_ << fmt::format(R"({{"ph":"{}","name":{},"pid":{},"tid":{},"ts":{}{}{}}})", phase,
                           json_string(name), track.process, track.number, microseconds(at),
                           rest.empty() ? "" : ",", rest);
  }
  void add_name(const char* what, Track track, std::string_view name) {
    add('M', what, track, 0, fmt::format(R"("args":{{"name":{}}})", json_string(name)));
  }

 private:
  Output& output_;
  bool is_first_ = true;
};

Result<void> add_processes(const trace::Document& document, Events& events) {
  return for_each_row(
      document, "SELECT id, command_line FROM processes ORDER BY id", [&](const Statement& row) {
        const Track track{row.integer(0), 0};
        events.add_name("process_name", track, row.text(1).empty() ? "assay" : row.text(1));
        events.add_name("thread_name", {track.process, kCompilations}, "compilations");
      });
}

Result<void> add_tracks(const trace::Document& document, Events& events) {
  Result<void> read = add_processes(document, events);
  if (!read) return read;
  read = for_each_row(
      document, "SELECT id, label, process FROM queues ORDER BY id", [&](const Statement& row) {
        const std::string label(row.text(1));
        events.add_name("thread_name", {row.integer(2), row.integer(0)},
                        label.empty() ? fmt::format("queue {}", row.integer(0)) : label);
      });
  if (!read) return read;
  return for_each_row(
      document, "SELECT id, name, process FROM threads ORDER BY id", [&](const Statement& row) {
        events.add_name("thread_name", {row.integer(2), thread_track(row.integer(0))},
                        fmt::format("host: {}", row.text(1)));
      });
}

Result<void> add_spans(const trace::Document& document, Events& events) {
  constexpr const char* kNames[] = {"build", "encode", "compile",    "wait",
                                    "read",  "start",  "make kernel"};
  return for_each_row(
      document,
      "SELECT s.kind, s.started, s.ended, l.text, o.text, t.process, s.thread FROM spans AS s LEFT "
      "JOIN threads AS t ON t.id = s.thread LEFT JOIN texts AS l ON l.id = s.label LEFT JOIN texts "
      "AS o ON o.id = s.site",
      [&](const Statement& row) {
        const int64_t kind = row.integer(0);
        const bool is_known = kind >= 0 && kind < static_cast<int64_t>(std::size(kNames));
        std::string name = is_known ? kNames[kind] : "unknown";
        if (!row.text(3).empty()) name += fmt::format(" {}", row.text(3));
        const int64_t duration =
            std::max<int64_t>(0, wrapping_subtract(row.integer(2), row.integer(1)));
        events.add('X', name, {row.integer(5), thread_track(row.integer(6))}, row.integer(1),
                   fmt::format(R"("dur":{},"cat":"host","args":{{"site":{}}})",
                               microseconds(duration), json_string(row.text(4))));
      });
}

// "x: float32[3,5]" by slot; nothing for a command without arrays.
class ArrayTexts {
 public:
  static Result<ArrayTexts> create(const trace::Document& document) {
    Result<Statement> rows = document.prepare(
        "SELECT arrays.name, dtype, shape, access FROM bindings JOIN arrays ON arrays.id = "
        "bindings.array WHERE command = ? ORDER BY slot");
    if (!rows) return rows.error();
    return ArrayTexts(std::move(*rows));
  }
  Result<std::string> of(trace::Id command) {
    std::string reads, writes;
    rows_.bind(command);
    while (true) {
      const Result<bool> row = rows_.step();
      if (!row) return row.error();
      if (!*row) break;
      std::string text = fmt::format("{}{}", rows_.text(1), rows_.text(2));
      if (!rows_.text(0).empty()) text = fmt::format("{}: {}", rows_.text(0), text);
      std::string& list = (rows_.integer(3) & trace::kWrites) != 0 ? writes : reads;
      list += (list.empty() ? "" : ", ") + text;
    }
    rows_.reset();
    std::string json;
    if (!reads.empty()) json += fmt::format(R"(,"inputs":{})", json_string(reads));
    if (!writes.empty()) json += fmt::format(R"(,"outputs":{})", json_string(writes));
    return json;
  }

 private:
  explicit ArrayTexts(Statement rows) : rows_(std::move(rows)) {}
  Statement rows_;
};

std::string command_arguments(const Statement& row) {
  std::string args = fmt::format(R"("command":{},"operation":{},"site":{})", row.integer(0),
                                 json_string(row.text(5)), json_string(row.text(6)));
  if (!row.is_null(7)) {
    args += fmt::format(R"(,"grid":"{}x{}x{} {}","threadgroup":"{}x{}x{}")", row.integer(8),
                        row.integer(9), row.integer(10), row.integer(7) != 0 ? "threads" : "groups",
                        row.integer(11), row.integer(12), row.integer(13));
  }
  if (!row.is_null(14)) args += fmt::format(R"(,"bytes_read":{})", row.integer(14));
  if (!row.is_null(15)) args += fmt::format(R"(,"bytes_written":{})", row.integer(15));
  if (!row.is_null(16)) args += fmt::format(R"(,"error":{})", json_string(row.text(16)));
  return args;
}

Result<void> add_commands(const trace::Document& document, Events& events) {
  Result<ArrayTexts> arrays = ArrayTexts::create(document);
  if (!arrays) return arrays.error();
  Result<void> found;
  const Result<void> read = for_each_row(
      document,
      "SELECT c.id, b.queue, c.kind, c.started, c.ended, t.text, s.text, l.counts_threads, "
      "l.grid_x, l.grid_y, l.grid_z, l.group_x, l.group_y, l.group_z, "
      "coalesce((SELECT sum(range_end - range_begin) FROM bindings WHERE command = c.id AND kind = "
      "0 AND access & 1), c.bytes_read), coalesce((SELECT sum(range_end - range_begin) FROM "
      "bindings WHERE command = c.id AND kind = 0 AND access & 2), c.bytes_written), c.error, "
      "k.name, q.process FROM commands AS c "
      "LEFT JOIN command_buffers AS b ON b.id = c.command_buffer "
      "LEFT JOIN queues AS q ON q.id = b.queue "
      "LEFT JOIN kernels AS k ON k.id = c.kernel LEFT JOIN texts AS t ON t.id = c.label "
      "LEFT JOIN texts AS s ON s.id = c.site LEFT JOIN launches AS l ON l.id = c.launch",
      [&](const Statement& row) {
        const Result<std::string> shapes = arrays->of(row.integer(0));
        if (!shapes) found = shapes.error();
        const std::string kind = kind_name(row.integer(2));
        const std::string name = row.is_null(17) ? kind : std::string(row.text(17));
        const int64_t duration =
            std::max<int64_t>(0, wrapping_subtract(row.integer(4), row.integer(3)));
        events.add('X', name, {row.integer(18), row.integer(1)}, row.integer(3),
                   fmt::format(R"("dur":{},"cat":{},"args":{{{}{}}})", microseconds(duration),
                               json_string(std::string_view(kind).substr(1, kind.size() - 2)),
                               command_arguments(row), shapes ? *shapes : ""));
        return found.ok();
      });
  if (!read) return read;
  if (!found) return document.error(found.error().message);
  return {};
}

// One arrow for each pair, however many buffers they share. It starts in the last moment of the
// earlier command: arrows belong to the slice around their time.
Result<void> add_dependencies(const trace::Document& document, Events& events) {
  int64_t number = 0;
  return for_each_row(
      document,
      "SELECT nb.queue, n.started, n.ended, cb.queue, c.started, min(d.kind), nq.process, "
      "cq.process FROM dependencies AS d JOIN commands AS n ON n.id = d.needs JOIN command_buffers "
      "AS nb ON nb.id = n.command_buffer LEFT JOIN queues AS nq ON nq.id = nb.queue JOIN commands "
      "AS c ON c.id = d.command JOIN command_buffers AS cb ON cb.id = c.command_buffer LEFT JOIN "
      "queues AS cq ON cq.id = cb.queue GROUP BY d.command, d.needs",
      [&](const Statement& row) {
        ++number;
        const std::string fields = fmt::format(R"("cat":"dependency","id":{})", number);
        const std::string_view name = dependency_reason(row.integer(5));
        events.add('s', name, {row.integer(6), row.integer(0)},
                   std::max(row.integer(1), wrapping_subtract(row.integer(2), 1)), fields);
        events.add('f', name, {row.integer(7), row.integer(3)}, row.integer(4),
                   fields + R"(,"bp":"e")");
      });
}

Result<void> add_submissions(const trace::Document& document, Events& events) {
  return for_each_row(
      document,
      "SELECT command_buffers.id, queue, submitted, completed, text, process FROM command_buffers "
      "LEFT JOIN texts ON texts.id = command_buffers.label LEFT JOIN queues ON queues.id = queue "
      "WHERE completed IS NOT NULL",
      [&](const Statement& row) {
        const std::string name = row.text(4).empty()
                                     ? fmt::format("command buffer {}", row.integer(0))
                                     : std::string(row.text(4));
        const std::string fields = fmt::format(R"("cat":"submission","id":{})", row.integer(0));
        const Track track{row.integer(5), row.integer(1)};
        events.add('b', name, track, row.integer(2), fields);
        events.add('e', name, track, row.integer(3), fields);
      });
}

Result<void> add_others(const trace::Document& document, Events& events) {
  Result<void> read = for_each_row(
      document,
      "SELECT coalesce(kernels.name, 'a kernel'), ended - duration, duration, from_cache FROM "
      "compilations LEFT JOIN kernels ON kernels.id = compilations.kernel",
      [&](const Statement& row) {
        events.add('X', row.text(0), {kFirstProcess, kCompilations}, row.integer(1),
                   fmt::format(R"("dur":{},"cat":"compilation","args":{{"from":"{}"}})",
                               microseconds(std::max<int64_t>(0, row.integer(2))),
                               row.integer(3) != 0 ? "cache" : "source"));
      });
  if (!read) return read;
  read = for_each_row(document, "SELECT at, active, cached FROM memory", [&](const Statement& row) {
    events.add('C', "memory", {kFirstProcess, 0}, row.integer(0),
               fmt::format(R"("args":{{"in use":{},"kept for reuse":{}}})", row.integer(1),
                           row.integer(2)));
  });
  if (!read) return read;
  return for_each_row(document, "SELECT at, text FROM notes", [&](const Statement& row) {
    events.add('i', row.text(1), {kFirstProcess, 0}, row.integer(0), R"("s":"g")");
  });
}

}  // namespace

Result<void> export_perfetto(const trace::Document& document, Output& output) {
  output << R"({"displayTimeUnit":"ns","otherData":{)";
  bool is_first = true;
  Result<void> read = for_each_row(
      document, "SELECT name, value FROM facts ORDER BY name", [&](const Statement& row) {
        output << fmt::format("{}{}:{}", is_first ? "" : ",", json_string(row.text(0)),
                              json_string(row.text(1)));
        is_first = false;
      });
  output << R"(},"traceEvents":[)";
  Events events(output);
  for (const auto add :
       {add_tracks, add_spans, add_commands, add_dependencies, add_submissions, add_others}) {
    if (read) read = add(document, events);
  }
  output << "\n]}\n";
  return read;
}

}  // namespace assay::analysis
