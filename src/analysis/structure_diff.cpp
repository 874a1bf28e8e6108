// See diff.h: the part without times.
#include <fmt/format.h>

#include <map>

#include "analysis/diff.h"
#include "analysis/memory_peak.h"
#include "analysis/query.h"
#include "analysis/work_totals.h"

namespace assay::analysis {
namespace {

using trace::Statement;

struct Quantity {
  std::string name;
  int64_t value = 0;
  bool is_bytes = false;
};

struct Structure {
  std::vector<Quantity> quantities;  // the same ones, in the same order, for every trace
  TraceTotals totals;
};

Result<Structure> load_structure(const trace::Document& document) {
  Structure structure;
  Result<TraceTotals> totals = compute_totals(document, WithBytes::kYes);
  if (!totals) return totals.error();
  const Result<MemoryPeak> peak = compute_memory_peak(document);
  if (!peak) return peak.error();
  auto add = [&](const char* name, int64_t value, bool is_bytes = false) {
    structure.quantities.push_back({name, value, is_bytes});
  };
  add("dispatches", totals->dispatches);
  int64_t others = 0;
  for (const WorkTotals& work : totals->work) others += work.is_kernel ? 0 : work.time.count();
  add("copies, fills, products", others);
  add("waits", totals->waits);
  add("signals", totals->signals);
  add("failed commands", totals->failed);
  add("bytes read", totals->bytes_read, true);
  add("bytes written", totals->bytes_written, true);
  const Result<void> read = for_each_row(
      document,
      "SELECT (SELECT count(*) FROM command_buffers), (SELECT count(*) FROM dependencies), "
      "count(allocated), sum(CASE WHEN allocated IS NULL THEN 0 ELSE bytes END) FROM buffers",
      [&](const Statement& row) {
        add("command buffers", row.integer(0));
        add("dependencies", row.integer(1));
        add("allocations", row.integer(2));
        add("bytes allocated", row.integer(3), true);
      });
  if (!read) return read.error();
  add("peak memory", peak->bytes, true);
  structure.totals = std::move(*totals);
  return structure;
}

// Rows for the kernels whose numbers differ.
Table compare_kernels(const TraceTotals& before, const TraceTotals& after,
                      const DiffOptions& options) {
  struct Numbers {
    int64_t count_before = 0, count_after = 0, bytes_before = 0, bytes_after = 0;
  };
  std::map<std::string, Numbers> by_name;
  for (const WorkTotals& work : before.work) {
    by_name[work.name].count_before = work.time.count();
    by_name[work.name].bytes_before = work.bytes();
  }
  for (const WorkTotals& work : after.work) {
    by_name[work.name].count_after = work.time.count();
    by_name[work.name].bytes_after = work.bytes();
  }
  using enum ColumnKind;
  Table table{{"kernels",
               "Kernels that differ",
               {{"kernel", "kernel", kText},
                {"count_before", "count before", kCount},
                {"count_after", "after", kCount},
                {"bytes_before", "bytes before", kBytes},
                {"bytes_after", "after", kBytes}}}};
  for (const auto& [name, of] : by_name) {
    if (of.count_before == of.count_after && of.bytes_before == of.bytes_after) continue;
    if (options.limit && static_cast<int64_t>(table.rows.size()) >= *options.limit) {
      ++table.left_out;
      continue;
    }
    table.rows.push_back({name, of.count_before, of.count_after, of.bytes_before, of.bytes_after});
  }
  return table;
}

}  // namespace

Result<bool> run_structure_diff(const trace::Document& before, const trace::Document& after,
                                const DiffOptions& options, RowSink& sink) {
  const std::string old_detail = before.fact("detail").value_or("full");
  const std::string new_detail = after.fact("detail").value_or("full");
  if (old_detail != new_detail && (old_detail == "timeline" || new_detail == "timeline")) {
    return Error{
        fmt::format("one trace has detail '{}', the other '{}': a timeline has no bytes "
                    "and buffers to compare; capture both alike",
                    old_detail, new_detail)};
  }
  const Result<Structure> first = load_structure(before);
  if (!first) return first.error();
  const Result<Structure> second = load_structure(after);
  if (!second) return second.error();
  using enum ColumnKind;
  const std::vector<Column> columns = {{"quantity", "quantity", kText},
                                       {"before", "before", kCount},
                                       {"after", "after", kCount},
                                       {"difference", "difference", kCount}};
  Table counts{{"counts", "", columns}};
  Table sizes{{"sizes", "", columns}};
  for (size_t i = 1; i < columns.size(); ++i) sizes.head.columns[i].kind = kBytes;
  bool is_different = false;
  for (size_t i = 0; i < first->quantities.size(); ++i) {
    const Quantity& old_one = first->quantities[i];
    const Quantity& new_one = second->quantities[i];
    const int64_t difference = wrapping_subtract(new_one.value, old_one.value);
    is_different = is_different || difference != 0;
    (old_one.is_bytes ? sizes : counts)
        .rows.push_back({old_one.name, old_one.value, new_one.value, difference});
  }
  counts.send_to(sink);
  sizes.send_to(sink);
  const Table kernels = compare_kernels(first->totals, second->totals, options);
  if (!kernels.rows.empty()) kernels.send_to(sink);
  return is_different || !kernels.rows.empty() || kernels.left_out > 0;
}

}  // namespace assay::analysis
