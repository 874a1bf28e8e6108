// See diff.h. Times; the structure is in structure_diff.cpp.
#include "analysis/diff.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "analysis/fusion.h"
#include "analysis/work_totals.h"

namespace assay::analysis {
namespace {

Cell percent_change(int64_t before, int64_t after) {
  if (before == 0) return {};
  return 100.0 * (static_cast<double>(after) - static_cast<double>(before)) /
         static_cast<double>(before);
}

void send_totals(const TraceTotals& before, const TraceTotals& after, RowSink& sink) {
  using enum ColumnKind;
  Table table{{"totals",
               "Totals",
               {{"trace", "trace", kText},
                {"dispatches", "dispatches", kCount},
                {"kernels", "kernels", kCount},
                {"time_ns", "time", kDuration},
                {"bytes", "read and written", kBytes}}}};
  auto add = [&](const char* name, const TraceTotals& of) {
    const auto kernels = std::ranges::count_if(of.work, &WorkTotals::is_kernel);
    table.rows.push_back(
        {std::string(name), of.dispatches, int64_t{kernels}, of.time,
         of.has_bytes ? Cell(wrapping_add(of.bytes_read, of.bytes_written)) : Cell()});
  };
  add("before", before);
  add("after", after);
  table.rows.push_back(
      {std::string("saved"), wrapping_subtract(before.dispatches, after.dispatches),
       std::get<int64_t>(table.rows[0][2]) - std::get<int64_t>(table.rows[1][2]),
       wrapping_subtract(before.time, after.time),
       before.has_bytes && after.has_bytes
           ? Cell(wrapping_subtract(wrapping_add(before.bytes_read, before.bytes_written),
                                    wrapping_add(after.bytes_read, after.bytes_written)))
           : Cell()});
  table.send_to(sink);
}

Table fusion_table() {
  using enum ColumnKind;
  return {{"fusions",
           "Element-wise kernels that became one",
           {{"change", "change", kText},
            {"kernels", "kernels", kText},
            {"fused", "one kernel", kText},
            {"parts_dispatches", "dispatches apart", kCount},
            {"fused_dispatches", "as one", kCount},
            {"saved_ns", "time saved", kDuration},
            {"saved_percent", "of it", kPercent},
            {"saved_bytes", "bytes saved", kBytes}}}};
}

// A fused kernel saves; one that came apart costs the same.
void add_fusion(const Fusion& fusion, bool came_apart, bool has_bytes, Table& table) {
  const int64_t sign = came_apart ? -1 : 1;
  std::string kernels =
      fmt::format("{}{}", fmt::join(fusion.parts, ", "), fusion.has_more ? " and more" : "");
  const Cell percent = percent_change(fusion.parts_time, fusion.fused_time);
  const auto* change = std::get_if<double>(&percent);
  table.rows.push_back(
      {came_apart ? fmt::format("1 became {}", fusion.parts.size())
                  : fmt::format("{} became 1", fusion.parts.size()),
       std::move(kernels), fusion.fused, fusion.parts_count, fusion.fused_count,
       sign * (fusion.parts_time - fusion.fused_time),
       change ? Cell(-static_cast<double>(sign) * *change) : Cell(),
       has_bytes ? Cell(sign * (fusion.parts_bytes - fusion.fused_bytes)) : Cell()});
}

struct Pair {
  const WorkTotals* before = nullptr;
  const WorkTotals* after = nullptr;

  int64_t time_before() const { return before ? before->time.total() : 0; }
  int64_t time_after() const { return after ? after->time.total() : 0; }
  int64_t difference() const { return wrapping_subtract(time_after(), time_before()); }
  // One of the two is there, which the analyser cannot know.
  const std::string& name() const {
    return before ? before->name : after->name;  // NOLINT(clang-analyzer-core.*)
  }
};

std::string change_of(const Pair& pair, double noise_percent) {
  if (!pair.before) return "appeared";
  if (!pair.after) return "vanished";
  const double limit = noise_percent / 100 * static_cast<double>(pair.time_before());
  if (std::abs(static_cast<double>(pair.difference())) <= limit) return "same";
  return pair.difference() > 0 ? "slower" : "faster";
}

std::vector<Pair> pair_up(const TraceTotals& before, const TraceTotals& after) {
  std::map<std::string_view, Pair> by_name;
  for (const WorkTotals& work : before.work) by_name[work.name].before = &work;
  for (const WorkTotals& work : after.work) by_name[work.name].after = &work;
  std::vector<Pair> pairs;
  for (const auto& [name, pair] : by_name) pairs.push_back(pair);
  std::ranges::sort(pairs, [](const Pair& a, const Pair& b) {
    const double first = std::abs(static_cast<double>(a.difference()));
    const double second = std::abs(static_cast<double>(b.difference()));
    return first != second ? first > second : a.name() < b.name();
  });
  return pairs;
}

void send_kernels(const TraceTotals& before, const TraceTotals& after, const DiffOptions& options,
                  RowSink& sink) {
  using enum ColumnKind;
  Table table{{"kernels",
               "By kernel, the largest change of time first",
               {{"kernel", "kernel", kText},
                {"change", "change", kText},
                {"count_before", "count before", kCount},
                {"count_after", "after", kCount},
                {"time_before_ns", "time before", kDuration},
                {"time_after_ns", "after", kDuration},
                {"change_percent", "change", kPercent},
                {"bytes_before", "bytes before", kBytes},
                {"bytes_after", "after", kBytes}}}};
  for (const Pair& pair : pair_up(before, after)) {
    if (options.limit && static_cast<int64_t>(table.rows.size()) >= *options.limit) {
      ++table.left_out;
      continue;
    }
    auto count = [](const WorkTotals* work) { return work ? work->time.count() : int64_t{0}; };
    auto bytes = [](const WorkTotals* work, bool is_known) {
      return is_known ? Cell(work ? work->bytes() : int64_t{0}) : Cell();
    };
    table.rows.push_back(
        {pair.name(), change_of(pair, options.noise_percent), count(pair.before), count(pair.after),
         pair.time_before(), pair.time_after(),
         pair.before && pair.after ? percent_change(pair.time_before(), pair.time_after()) : Cell(),
         bytes(pair.before, before.has_bytes), bytes(pair.after, after.has_bytes)});
  }
  table.send_to(sink);
}

}  // namespace

Result<void> run_diff(const trace::Document& before, const trace::Document& after,
                      const DiffOptions& options, RowSink& sink) {
  const Result<TraceTotals> old_totals = compute_totals(before, WithBytes::kYes);
  if (!old_totals) return old_totals.error();
  const Result<TraceTotals> new_totals = compute_totals(after, WithBytes::kYes);
  if (!new_totals) return new_totals.error();
  send_totals(*old_totals, *new_totals, sink);
  const bool has_bytes = old_totals->has_bytes && new_totals->has_bytes;
  Table fusions = fusion_table();
  for (const Fusion& fusion : find_fusions(old_totals->work, new_totals->work)) {
    add_fusion(fusion, false, has_bytes, fusions);
  }
  for (const Fusion& fusion : find_fusions(new_totals->work, old_totals->work)) {
    add_fusion(fusion, true, has_bytes, fusions);
  }
  if (!fusions.rows.empty()) fusions.send_to(sink);
  send_kernels(*old_totals, *new_totals, options, sink);
  return {};
}

}  // namespace assay::analysis
