// See summary.h.
#include "analysis/views/summary.h"

#include <fmt/format.h>

#include "analysis/memory_peak.h"
#include "analysis/query.h"
#include "analysis/work_totals.h"

namespace assay::analysis {
namespace {

using trace::Statement;

// The facts that people ask for, in this order.
constexpr const char* kFacts[] = {"command_line", "started_at", "host",      "device_name",
                                  "detail",       "only_queue", "only_name", "remark"};
constexpr size_t kTopKernels = 5;

Result<void> send_facts(const trace::Document& document, RowSink& sink) {
  using enum ColumnKind;
  Table facts{{"facts", "", {{"fact", "trace", kText}, {"value", document.path(), kText}}}};
  for (const char* name : kFacts) {
    if (auto value = document.fact(name)) facts.rows.push_back({std::string(name), *value});
  }
  if (!document.is_complete()) {
    facts.rows.push_back({std::string("remark"),
                          std::string("the program ended before the capture: the last moments may "
                                      "be missing")});
  }
  facts.send_to(sink);
  return {};
}

Result<void> send_totals(const trace::Document& document, const TraceTotals& totals,
                         RowSink& sink) {
  const Result<MemoryPeak> peak = compute_memory_peak(document);
  if (!peak) return peak.error();
  using enum ColumnKind;
  Table table{{"totals",
               "Totals",
               {{"commands", "commands", kCount},
                {"dispatches", "dispatches", kCount},
                {"command_buffers", "command buffers", kCount},
                {"waits", "waits", kCount},
                {"failed", "failed", kCount},
                {"span_ns", "first to last", kDuration},
                {"busy_ns", "running", kDuration},
                {"bytes_read", "read", kBytes},
                {"bytes_written", "written", kBytes},
                {"peak_bytes", "most memory", kBytes}},
               true}};
  auto if_known = [&](int64_t bytes) { return totals.has_bytes ? Cell(bytes) : Cell(); };
  const Result<int64_t> command_buffers =
      load_number(document, "SELECT count(*) FROM command_buffers");
  if (!command_buffers) return command_buffers.error();
  table.rows.push_back({totals.commands, totals.dispatches, *command_buffers, totals.waits,
                        totals.failed, wrapping_subtract(totals.last, totals.first), totals.time,
                        if_known(totals.bytes_read), if_known(totals.bytes_written),
                        peak->is_known ? Cell(peak->bytes) : Cell()});
  table.send_to(sink);
  return {};
}

Result<void> send_queues(const trace::Document& document, RowSink& sink) {
  using enum ColumnKind;
  Table table{{"queues",
               "Queues",
               {{"queue", "queue", kText},
                {"command_buffers", "command buffers", kCount},
                {"waiting_ns", "submitted to completed, median", kDuration}}}};
  struct Queue {
    std::string label;
    DurationStatistics latency;
  };
  std::map<trace::Id, Queue> queues;
  Result<void> read =
      for_each_row(document, "SELECT id, label FROM queues LIMIT 10000",
                   [&](const Statement& row) { queues[row.integer(0)].label = row.text(1); });
  if (!read) return read;
  read = for_each_row(document,
                      "SELECT queue, completed - submitted FROM command_buffers WHERE completed IS "
                      "NOT NULL",
                      [&](const Statement& row) {
                        const auto queue = queues.find(row.integer(0));
                        if (queue != queues.end()) queue->second.latency.add(row.integer(1));
                      });
  if (!read) return read;
  for (const auto& [id, queue] : queues) {
    if (queue.latency.count() == 0) continue;
    table.rows.push_back({queue.label, queue.latency.count(), queue.latency.median()});
  }
  table.send_to(sink);
  return {};
}

void send_kernels(const TraceTotals& totals, RowSink& sink) {
  using enum ColumnKind;
  Table table{{"kernels",
               "Where the time goes",
               {{"kernel", "kernel", kText},
                {"count", "count", kCount},
                {"total_ns", "total", kDuration},
                {"share_percent", "share", kPercent},
                {"gigabytes_per_second", "rate", kRate}}}};
  for (const WorkTotals& work : totals.work) {
    if (table.rows.size() == kTopKernels) break;
    const auto time = static_cast<double>(work.time.total());
    const auto all = static_cast<double>(totals.time);
    const bool has_rate = totals.has_bytes && time > 0;
    table.rows.push_back({work.name, work.time.count(), work.time.total(),
                          all > 0 ? Cell(100 * time / all) : Cell(),
                          has_rate ? Cell(static_cast<double>(work.bytes()) / time) : Cell()});
  }
  table.left_out = static_cast<int64_t>(totals.work.size() - table.rows.size());
  table.send_to(sink);
}

}  // namespace

Result<void> run_summary(const trace::Document& document, const ViewOptions& /*options*/,
                         RowSink& sink) {
  if (Result<void> sent = send_facts(document, sink); !sent) return sent;
  const Result<TraceTotals> totals = compute_totals(document, WithBytes::kYes);
  if (!totals) return totals.error();
  if (Result<void> sent = send_totals(document, *totals, sink); !sent) return sent;
  if (Result<void> sent = send_queues(document, sink); !sent) return sent;
  send_kernels(*totals, sink);
  return {};
}

}  // namespace assay::analysis
