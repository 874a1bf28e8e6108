// Two baselines beside each other; see baseline.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/baseline/baseline.h"

namespace assay::analysis {
namespace {

// Beyond so many times the noise of both, a difference is hardly chance: one in a few hundred.
constexpr double kSureness = 3;
// Clocks and schedulers do not tell less apart.
constexpr double kLeast_ns = 500;

void compare_times(const CompareOptions& options, Comparison& row) {
  if (row.before.count == 0 || row.after.count == 0) return;
  const double noise = std::hypot(row.before.noise, row.after.noise);
  row.allowed = std::max({kSureness * noise, options.tolerance * row.before.median, kLeast_ns});
  const double difference = row.after.median - row.before.median;
  if (options.is_structure_only || std::abs(difference) <= row.allowed) return;
  row.change = difference > 0 ? Change::kSlower : Change::kFaster;
}

// A run that was cut short has fewer of everything: then the rate counts.
bool is_same_count(const Baseline& before, const Baseline& after, const Comparison& row) {
  if (row.count_before == row.count_after) return true;
  if (before.evaluations == after.evaluations) return false;
  const double expected = static_cast<double>(row.count_before) *
                          static_cast<double>(after.evaluations) /
                          static_cast<double>(std::max<int64_t>(1, before.evaluations));
  return std::abs(static_cast<double>(row.count_after) - expected) <=
         std::max(1.0, 0.02 * expected);
}

Comparison compare_kernel(const std::string& name, const Baseline& before, const Baseline& after,
                          const CompareOptions& options) {
  const auto old = before.kernels.find(name);
  const auto now = after.kernels.find(name);
  Comparison row{.name = name};
  if (old != before.kernels.end()) {
    row.count_before = old->second.dispatches;
    row.before = old->second.time;
  }
  if (now != after.kernels.end()) {
    row.count_after = now->second.dispatches;
    row.after = now->second.time;
  }
  if (old == before.kernels.end() || now == after.kernels.end()) {
    row.change = old == before.kernels.end() ? Change::kAppeared : Change::kVanished;
    return row;
  }
  if (is_same_count(before, after, row)) {
    compare_times(options, row);
  } else {
    row.change = Change::kCountChanged;
  }
  return row;
}

// What the program spends more, for the order of rows.
double weight(const Comparison& row) {
  return std::abs(row.after.median * static_cast<double>(row.count_after) -
                  row.before.median * static_cast<double>(row.count_before));
}

}  // namespace

bool BaselineComparison::has_regression() const {
  return std::ranges::any_of(rows, &Comparison::is_regression);
}

const char* change_name(Change change) {
  switch (change) {
    case Change::kSame: return "same";
    case Change::kFaster: return "faster";
    case Change::kSlower: return "slower";
    case Change::kAppeared: return "appeared";
    case Change::kVanished: return "vanished";
    case Change::kCountChanged: return "other count";
  }
  return "";
}

BaselineComparison compare_baselines(const Baseline& before, const Baseline& after,
                                     const CompareOptions& options) {
  BaselineComparison comparison;
  for (const auto& [name, kernel] : before.kernels) {
    comparison.rows.push_back(compare_kernel(name, before, after, options));
  }
  for (const auto& [name, kernel] : after.kernels) {
    if (!before.kernels.contains(name)) {
      comparison.rows.push_back(compare_kernel(name, before, after, options));
    }
  }
  std::ranges::stable_sort(comparison.rows, [](const Comparison& a, const Comparison& b) {
    if (a.is_regression() != b.is_regression()) return a.is_regression();
    return weight(a) > weight(b);
  });
  Comparison step{.name = "step",
                  .count_before = before.evaluations,
                  .count_after = after.evaluations,
                  .before = before.step,
                  .after = after.step};
  compare_times(options, step);
  comparison.rows.insert(comparison.rows.begin(), std::move(step));
  if (before.device != after.device && !options.is_structure_only) {
    comparison.remark = fmt::format(
        "the baseline is of another device ('{}', not '{}'): times mean little, --structure "
        "compares the rest",
        before.device, after.device);
  }
  return comparison;
}

}  // namespace assay::analysis
