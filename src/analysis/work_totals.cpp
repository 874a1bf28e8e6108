// See work_totals.h.
#include "analysis/work_totals.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "analysis/query.h"
#include "analysis/wrapping.h"

namespace assay::analysis {
namespace {

using trace::CommandKind;
using trace::Id;
using trace::Statement;

constexpr int64_t kDispatch = static_cast<int64_t>(CommandKind::kDispatch);

// Groups by name; looks names up once for each kernel.
class Groups {
 public:
  explicit Groups(std::unordered_map<Id, std::string> names) : names_(std::move(names)) {}

  size_t find(int64_t kind, Id kernel) {
    if (kind != kDispatch) kernel = -1 - kind;
    if (const auto known = by_kernel_.find(kernel); known != by_kernel_.end()) return known->second;
    const auto name = names_.find(kernel);
    const std::string text = kind != kDispatch      ? kind_name(kind)
                             : name != names_.end() ? name->second
                                                    : fmt::format("[kernel {}]", kernel);
    const auto [entry, is_new] = by_name_.try_emplace(text, work.size());
    if (is_new) work.push_back({.name = text, .is_kernel = kind == kDispatch, .time = {}});
    by_kernel_.emplace(kernel, entry->second);
    return entry->second;
  }

  std::vector<WorkTotals> work;

 private:
  std::unordered_map<Id, std::string> names_;
  std::unordered_map<Id, size_t> by_kernel_;
  std::unordered_map<std::string, size_t> by_name_;
};

Result<std::unordered_map<Id, std::string>> load_kernel_names(const trace::Document& document) {
  std::unordered_map<Id, std::string> names;
  Result<void> read =
      for_each_row(document, "SELECT id, name FROM kernels",
                   [&](const Statement& row) { names.emplace(row.integer(0), row.text(1)); });
  if (!read) return read.error();
  return names;
}

// Bytes by command; asked for ever higher commands. Sums are done here: grouping in SQL takes three
// times as long.
class BytesByCommand {
 public:
  static Result<BytesByCommand> create(const trace::Document& document) {
    Result<Statement> rows = document.prepare(
        "SELECT command, access, range_begin, range_end FROM bindings WHERE kind=0 ORDER BY "
        "command");
    if (!rows) return rows.error();
    return BytesByCommand(std::move(*rows));
  }

  Result<void> add_to(Id command, WorkTotals& totals) {
    while (!is_done_) {
      if (!has_row_) {
        const Result<bool> row = rows_.step();
        if (!row) return row.error();
        has_row_ = *row;
        is_done_ = !*row;
        if (is_done_) break;
        command_ = rows_.integer(0);
      }
      if (command_ > command) break;
      if (command_ == command) add_row(totals);
      has_row_ = false;
    }
    return {};
  }

 private:
  explicit BytesByCommand(Statement rows) : rows_(std::move(rows)) {}

  void add_row(WorkTotals& totals) const {
    const int64_t access = rows_.integer(1);
    const int64_t bytes = wrapping_subtract(rows_.integer(3), rows_.integer(2));
    auto add = [&](int64_t& sum) { sum = wrapping_add(sum, bytes); };
    if ((access & trace::kReads) != 0) add(totals.bytes_read);
    if ((access & trace::kWrites) != 0) add(totals.bytes_written);
  }

  Statement rows_;
  Id command_ = 0;
  bool has_row_ = false;
  bool is_done_ = false;
};

void sum_up(TraceTotals& totals) {
  std::ranges::sort(totals.work, [](const WorkTotals& a, const WorkTotals& b) {
    if (a.time.total() != b.time.total()) return a.time.total() > b.time.total();
    return a.name < b.name;
  });
  for (const WorkTotals& work : totals.work) {
    if (work.is_kernel) totals.dispatches += work.time.count();
    totals.time = wrapping_add(totals.time, work.time.total());
    totals.bytes_read = wrapping_add(totals.bytes_read, work.bytes_read);
    totals.bytes_written = wrapping_add(totals.bytes_written, work.bytes_written);
  }
}

}  // namespace

std::string kind_name(int64_t kind) {
  constexpr const char* kNames[] = {"dispatch", "fill", "copy", "matrix product", "wait", "signal"};
  const bool is_known = kind >= 0 && kind < static_cast<int64_t>(std::size(kNames));
  return fmt::format("[{}]", is_known ? kNames[kind] : "unknown");
}

Result<TraceTotals> compute_totals(const trace::Document& document, WithBytes with_bytes) {
  auto names = load_kernel_names(document);
  if (!names) return names.error();
  Groups groups(std::move(*names));
  TraceTotals totals;
  const Result<int64_t> has_bindings =
      load_number(document, "SELECT EXISTS (SELECT 1 FROM bindings WHERE kind=0)");
  if (!has_bindings) return has_bindings.error();
  auto bytes = BytesByCommand::create(document);
  if (!bytes) return bytes.error();
  // Timelines have no bindings; their commands know the sizes of their arrays.
  totals.has_bytes = *has_bindings != 0;
  const bool is_counting = with_bytes == WithBytes::kYes && *has_bindings != 0;
  Result<void> counted;
  Result<void> read = for_each_row(
      document,
      "SELECT id, kind, kernel, started, ended, error IS NOT NULL, bytes_read, bytes_written FROM "
      "commands",
      [&](const Statement& row) {
        const int64_t kind = row.integer(1), started = row.integer(3), ended = row.integer(4);
        totals.first = totals.commands == 0 ? started : std::min(totals.first, started);
        totals.last = totals.commands == 0 ? ended : std::max(totals.last, ended);
        ++totals.commands;
        totals.failed += row.integer(5);
        if (kind == static_cast<int64_t>(CommandKind::kWait)) return ++totals.waits, true;
        if (kind == static_cast<int64_t>(CommandKind::kSignal)) return ++totals.signals, true;
        WorkTotals& work = groups.work[groups.find(kind, row.integer(2))];
        work.time.add(wrapping_subtract(ended, started));
        work.failed += row.integer(5);
        if (is_counting) {
          counted = bytes->add_to(row.integer(0), work);
        } else if (!row.is_null(6)) {
          totals.has_bytes = true;
          work.bytes_read = wrapping_add(work.bytes_read, row.integer(6));
          work.bytes_written = wrapping_add(work.bytes_written, row.integer(7));
        }
        return counted.ok();
      });
  if (!read) return read.error();
  if (!counted) return document.error(counted.error().message);
  totals.work = std::move(groups.work);
  sum_up(totals);
  return totals;
}

}  // namespace assay::analysis
