// See memory.h.
#include "analysis/views/memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <unordered_map>

#include "analysis/memory_peak.h"
#include "analysis/query.h"
#include "analysis/wrapping.h"

namespace assay::analysis {
namespace {

using trace::Id;
using trace::Statement;

constexpr int64_t kSlices = 20;

Result<void> send_totals(const trace::Document& document, RowSink& sink) {
  const Result<MemoryPeak> peak = compute_memory_peak(document);
  if (!peak) return peak.error();
  using enum ColumnKind;
  Table table{{"totals",
               "",
               {{"peak_bytes", "peak", kBytes},
                {"peak_at_ns", "at", kTime},
                {"cached_bytes", "most kept for reuse", kBytes},
                {"buffers", "buffers", kCount},
                {"allocations", "allocated in the capture", kCount},
                {"allocated_bytes", "bytes of these", kBytes}},
               true}};
  const Result<void> read = for_each_row(
      document,
      "SELECT (SELECT max(cached) FROM memory), count(*), count(allocated), "
      "sum(CASE WHEN allocated IS NOT NULL THEN bytes ELSE 0 END) FROM buffers",
      [&](const Statement& row) {
        table.rows.push_back({peak->is_known ? Cell(peak->bytes) : Cell(), peak->at, row.integer(0),
                              row.integer(1), row.integer(2), row.integer(3)});
      });
  if (!read) return read;
  table.send_to(sink);
  return {};
}

// The highest of each slice of the time.
Result<void> send_over_time(const trace::Document& document, RowSink& sink) {
  int64_t begin = 0, end = 0;
  Result<void> read =
      for_each_row(document, "SELECT min(at), max(at) FROM memory", [&](const Statement& row) {
        begin = row.integer(0);
        end = row.integer(1);
      });
  if (!read) return read;
  struct Slice {
    int64_t samples = 0, active = 0, cached = 0;
  };
  std::vector<Slice> slices(kSlices);
  const double width =
      std::max(1.0, (static_cast<double>(end) - static_cast<double>(begin) + 1) / kSlices);
  read = for_each_row(document, "SELECT at, active, cached FROM memory", [&](const Statement& row) {
    const double at = static_cast<double>(row.integer(0)) - static_cast<double>(begin);
    const auto index = static_cast<int64_t>(std::clamp(at / width, 0.0, kSlices - 1.0));
    Slice& slice = slices[static_cast<size_t>(index)];
    ++slice.samples;
    slice.active = std::max(slice.active, row.integer(1));
    slice.cached = std::max(slice.cached, row.integer(2));
  });
  if (!read) return read;
  using enum ColumnKind;
  Table table{{"over_time",
               "Over time (the most in each part of it)",
               {{"from_ns", "from", kTime},
                {"active_bytes", "in use", kBytes},
                {"cached_bytes", "kept for reuse", kBytes}}}};
  for (int64_t i = 0; i < kSlices; ++i) {
    const Slice& slice = slices[static_cast<size_t>(i)];
    if (slice.samples == 0) continue;
    const auto from =
        wrapping_add(begin, static_cast<int64_t>(std::min(width * static_cast<double>(i), 9e18)));
    table.rows.push_back({from, slice.active, slice.cached});
  }
  table.send_to(sink);
  return {};
}

struct BufferRow {
  Id id = 0;
  std::vector<Cell> cells;
};

// The command that first wrote each of the buffers: one walk over the bindings for all of them.
Result<std::unordered_map<Id, Id>> find_first_writers(const trace::Document& document,
                                                      std::span<const BufferRow> buffers) {
  std::vector<Id> ids;
  for (const BufferRow& buffer : buffers) ids.push_back(buffer.id);
  std::unordered_map<Id, Id> writers;
  const Result<void> read = for_each_row(
      document,
      fmt::format("SELECT buffer, min(command) FROM bindings WHERE kind = 0 AND access & 2 AND "
                  "buffer IN ({}) GROUP BY buffer",
                  fmt::join(ids, ",")),
      [&](const Statement& row) { writers[row.integer(0)] = row.integer(1); });
  if (!read) return read.error();
  return writers;
}

Result<void> send_buffers(const trace::Document& document, std::span<BufferRow> buffers,
                          RowSink& sink) {
  const auto writers = find_first_writers(document, buffers);
  if (!writers) return writers.error();
  for (BufferRow& buffer : buffers) {
    const auto writer = writers->find(buffer.id);
    Cell operation, site;
    if (writer != writers->end()) {
      const Result<void> read = for_each_row(
          document,
          "SELECT label.text, site.text FROM commands JOIN texts AS label ON label.id = "
          "commands.label JOIN texts AS site ON site.id = commands.site WHERE commands.id = ?",
          [&](const Statement& row) {
            operation = std::string(row.text(0));
            site = std::string(row.text(1));
          },
          writer->second);
      if (!read) return read;
    }
    buffer.cells.push_back(std::move(operation));
    buffer.cells.push_back(std::move(site));
    sink.row(buffer.cells);
  }
  return {};
}

Result<void> send_largest(const trace::Document& document, const ViewOptions& options,
                          RowSink& sink) {
  using enum ColumnKind;
  sink.begin({"largest",
              "Largest buffers",
              {{"buffer", "#", kCount},
               {"bytes", "size", kBytes},
               {"allocated_ns", "allocated", kTime},
               {"freed_ns", "freed", kTime},
               {"label", "label", kText},
               {"first_writer", "first written by", kText},
               {"site", "from", kText}}});
  const Result<int64_t> count = load_number(document, "SELECT count(*) FROM buffers");
  if (!count) return count.error();
  const int64_t limit = options.limit.value_or(*count);
  constexpr size_t kBatch = 1000;
  std::vector<BufferRow> batch;
  Result<void> sent;
  auto send_batch = [&] {
    sent = send_buffers(document, batch, sink);
    batch.clear();
    return sent.ok();
  };
  const Result<void> read = for_each_row(
      document,
      "SELECT buffers.id, bytes, allocated, freed, coalesce(text, '') FROM buffers LEFT JOIN texts "
      "ON texts.id = buffers.label ORDER BY bytes DESC, buffers.id LIMIT ?",
      [&](const Statement& row) {
        auto time = [&](int column) { return row.is_null(column) ? Cell() : row.integer(column); };
        batch.push_back(
            {row.integer(0),
             {row.integer(0), row.integer(1), time(2), time(3), std::string(row.text(4))}});
        return batch.size() < kBatch || send_batch();
      },
      limit);
  if (!read) return read;
  if (!sent || !send_batch()) return sent;
  sink.end(std::max<int64_t>(0, *count - limit));
  return {};
}

}  // namespace

Result<void> run_memory(const trace::Document& document, const ViewOptions& options,
                        RowSink& sink) {
  if (Result<void> sent = send_totals(document, sink); !sent) return sent;
  if (Result<void> sent = send_over_time(document, sink); !sent) return sent;
  return send_largest(document, options, sink);
}

}  // namespace assay::analysis
