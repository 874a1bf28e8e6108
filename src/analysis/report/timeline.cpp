// See timeline.h.
#include "analysis/report/timeline.h"

#include <algorithm>
#include <charconv>

#include "analysis/query.h"
#include "analysis/work_totals.h"

namespace assay::analysis {
namespace {

using trace::Id;
using trace::Statement;

// A document may hold any number; sums of what is left stay far from the limits.
int64_t clean(int64_t number) {
  constexpr int64_t kMost = int64_t{1} << 52;  // two months of nanoseconds
  return std::clamp(number, -kMost, kMost);
}
int64_t clean_size(int64_t number) { return std::max<int64_t>(0, clean(number)); }

TimeRange clean_range(int64_t begin, int64_t end) {
  const int64_t from = clean(begin);
  return {from, std::max(from, clean(end))};
}

int64_t product(std::initializer_list<int64_t> factors) {
  int64_t result = 1;
  for (const int64_t factor : factors) {
    if (__builtin_mul_overflow(result, clean_size(factor), &result)) return clean_size(INT64_MAX);
  }
  return clean_size(result);
}

Result<void> load_commands(const trace::Document& document, Timeline& timeline) {
  // Captures with bindings have no need of the columns, which only arrays fill.
  Result<void> read = for_each_row(
      document,
      "SELECT c.id, command_buffer, kind, started, ended, kernel, label, site, role, "
      "coalesce(bytes_read, (SELECT sum(range_end - range_begin) FROM bindings WHERE command = "
      "c.id AND kind = 0 AND access & 1)), coalesce(bytes_written, (SELECT sum(range_end - "
      "range_begin) FROM bindings WHERE command = c.id AND kind = 0 AND access & 2)), "
      "counts_threads, grid_x, grid_y, grid_z, group_x, group_y, group_z FROM commands AS c LEFT "
      "JOIN launches AS l ON l.id = c.launch WHERE kind BETWEEN 0 AND 3",
      [&](const Statement& row) {
        TimedCommand command{.id = row.integer(0),
                             .command_buffer = row.integer(1),
                             .time = clean_range(row.integer(3), row.integer(4)),
                             .kind = static_cast<trace::CommandKind>(row.integer(2)),
                             .kernel = row.integer(5),
                             .label = row.integer(6),
                             .site = row.integer(7),
                             .bytes_read = clean_size(row.integer(9)),
                             .bytes_written = clean_size(row.integer(10))};
        if (row.integer(8) >= 0 && row.integer(8) <= 4) {
          command.role = static_cast<trace::CommandRole>(row.integer(8));
        }
        if (!row.is_null(11)) {
          command.threads = product({row.integer(12), row.integer(13), row.integer(14)});
          if (row.integer(11) == 0) {
            command.threads =
                product({command.threads, row.integer(15), row.integer(16), row.integer(17)});
          }
        }
        timeline.commands.push_back(command);
      });
  if (!read) return read;
  std::ranges::stable_sort(timeline.commands, {},
                           [](const TimedCommand& each) { return each.time.begin; });
  return for_each_row(
      document, "SELECT command, needs FROM dependencies WHERE kind = 0",
      [&](const Statement& row) { timeline.reads_from[row.integer(0)].push_back(row.integer(1)); });
}

Result<void> load_host(const trace::Document& document, Timeline& timeline) {
  Result<void> read = for_each_row(
      document,
      "SELECT thread, kind, started, ended, label, site FROM spans WHERE kind BETWEEN 0 "
      "AND 6",
      [&](const Statement& row) {
        timeline.spans.push_back({.thread = row.integer(0),
                                  .kind = static_cast<trace::SpanKind>(row.integer(1)),
                                  .time = clean_range(row.integer(2), row.integer(3)),
                                  .label = row.integer(4),
                                  .site = row.integer(5)});
      });
  if (!read) return read;
  std::ranges::stable_sort(timeline.spans, {},
                           [](const TimedSpan& each) { return each.time.begin; });
  read = for_each_row(document, "SELECT at, active, cached FROM memory", [&](const Statement& row) {
    timeline.memory.push_back(
        {clean(row.integer(0)), clean_size(row.integer(1)), clean_size(row.integer(2))});
  });
  std::ranges::stable_sort(timeline.memory, {}, &MemoryPoint::at);
  return read;
}

// A command buffer belongs to the last evaluation that began before it was submitted, or is one by
// itself where nobody told of evaluations.
Result<void> find_evaluations(const trace::Document& document, Timeline& timeline) {
  std::vector<int64_t> begins;
  for (const TimedSpan& span : timeline.spans) {
    if (span.kind == trace::SpanKind::kEncode) begins.push_back(span.time.begin);
  }
  std::unordered_map<Id, int64_t> evaluations;
  Result<void> read = for_each_row(
      document, "SELECT id, submitted FROM command_buffers", [&](const Statement& row) {
        const auto next = std::ranges::upper_bound(begins, clean(row.integer(1)));
        evaluations[row.integer(0)] = begins.empty() ? row.integer(0) : next - begins.begin();
      });
  for (TimedCommand& command : timeline.commands) {
    command.evaluation = evaluations[command.command_buffer];
  }
  return read;
}

// Captures without spans, of programs that use no arrays, still know their compilations.
Result<void> load_compilations(const trace::Document& document, Timeline& timeline) {
  const bool has_spans = std::ranges::any_of(
      timeline.spans, [](const TimedSpan& span) { return span.kind == trace::SpanKind::kCompile; });
  if (has_spans) return {};
  return for_each_row(
      document, "SELECT ended, duration FROM compilations", [&](const Statement& row) {
        const int64_t end = clean(row.integer(0));
        timeline.spans.push_back(
            {.kind = trace::SpanKind::kCompile, .time = {end - clean_size(row.integer(1)), end}});
      });
}

Result<void> load_names(const trace::Document& document, Timeline& timeline) {
  Result<void> read = for_each_row(
      document, "SELECT id, text FROM texts",
      [&](const Statement& row) { timeline.texts.emplace(row.integer(0), row.text(1)); });
  if (!read) return read;
  read = for_each_row(document, "SELECT id, name FROM kernels", [&](const Statement& row) {
    timeline.kernels.emplace(row.integer(0), row.text(1));
  });
  if (!read) return read;
  return for_each_row(document, "SELECT name, value FROM measurements", [&](const Statement& row) {
    if (row.real(1) > 0 && row.real(1) < 1e18)
      timeline.measurements[std::string(row.text(0))] = row.real(1);
  });
}

std::optional<int64_t> number_fact(const trace::Document& document, std::string_view name) {
  const std::optional<std::string> text = document.fact(name);
  if (!text) return std::nullopt;
  int64_t number = 0;
  const auto [end, status] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (status != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return clean(number);
}

}  // namespace

std::string Timeline::text(Id id) const {
  const auto found = texts.find(id);
  return found == texts.end() ? std::string() : found->second;
}

std::string Timeline::name_of(const TimedCommand& command) const {
  if (command.kind != trace::CommandKind::kDispatch) {
    return kind_name(static_cast<int64_t>(command.kind));
  }
  const auto found = kernels.find(command.kernel);
  return found == kernels.end() ? "[kernel]" : found->second;
}

std::optional<double> Timeline::measurement(const std::string& name) const {
  const auto found = measurements.find(name);
  return found == measurements.end() ? std::nullopt : std::optional(found->second);
}

Result<Timeline> load_timeline(const trace::Document& document) {
  Timeline timeline;
  for (const auto load :
       {load_commands, load_host, find_evaluations, load_compilations, load_names}) {
    if (Result<void> loaded = load(document, timeline); !loaded) return loaded.error();
  }
  timeline.ended = number_fact(document, "ended");
  timeline.kept_from = number_fact(document, "kept_from").value_or(0);
  timeline.device_memory_bytes = number_fact(document, "device_memory_bytes").value_or(0);
  return timeline;
}

}  // namespace assay::analysis
