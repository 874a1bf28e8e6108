// See comparison.h.
#include "bench/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/format.h"

namespace assay::bench {
namespace {

std::string aim_text(const Aim& aim) {
  switch (aim.kind) {
    case AimKind::kTimesFaster: return fmt::format("≥ {:g}× faster", aim.limit);
    case AimKind::kTimesPeer: return fmt::format("≤ {:g}× its time", aim.limit);
    case AimKind::kNanoseconds: return "≤ " + base::format_duration(aim.limit);
  }
  return {};
}

std::string aims_text(const Comparison& comparison) {
  std::string text;
  for (const Aim& aim : comparison.aims) text += (text.empty() ? "" : ", ") + aim_text(aim);
  return text.empty() ? "-" : text;
}

std::string reached_text(const Comparison& comparison) {
  if (!comparison.failure.empty()) return "no figure";
  std::optional<bool> reached = is_reached(comparison);
  if (!reached) return "-";
  return *reached ? "yes" : "NO";
}

// What is far slower reads better the other way round.
std::string ratio_text(double ratio) {
  return ratio < 0.5 ? fmt::format("1/{:.1f}×", 1 / ratio) : fmt::format("{:.2f}×", ratio);
}

nlohmann::json times_json(const std::vector<double>& times) {
  if (times.empty()) return nullptr;
  return {{"best_ns", best(times)}, {"median_ns", median(times)}, {"times_ns", times}};
}

}  // namespace

double best(const std::vector<double>& times) { return *std::ranges::min_element(times); }

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

std::optional<double> times_faster(const Comparison& comparison) {
  if (comparison.ours_ns.empty() || comparison.peer_ns.empty()) return {};
  return best(comparison.peer_ns) / best(comparison.ours_ns);
}

std::optional<bool> is_reached(const Comparison& comparison) {
  if (comparison.aims.empty() || comparison.ours_ns.empty()) return {};
  const std::optional<double> ratio = times_faster(comparison);
  for (const Aim& aim : comparison.aims) {
    if (aim.kind == AimKind::kNanoseconds) {
      if (best(comparison.ours_ns) > aim.limit) return false;
      continue;
    }
    if (!ratio) return {};
    const double needed = aim.kind == AimKind::kTimesFaster ? aim.limit : 1 / aim.limit;
    if (*ratio < needed) return false;
  }
  return true;
}

void add_comparison(std::vector<Comparison>& comparisons, Comparison comparison,
                    const std::function<Result<void>(Comparison&)>& measure) {
  std::fprintf(stderr, "%s, %s\n", comparison.work.c_str(), comparison.peer.c_str());
  const Result<void> measured = measure(comparison);
  if (!measured) comparison.failure = measured.error().message;
  comparisons.push_back(std::move(comparison));
}

std::string to_table(const std::vector<Comparison>& comparisons) {
  using base::Align;
  base::Table table({{"work"},
                     {"assay", Align::kRight},
                     {"median", Align::kRight},
                     {"peer"},
                     {"its time", Align::kRight},
                     {"median", Align::kRight},
                     {"faster", Align::kRight},
                     {"aim"},
                     {"reached"}});
  auto duration = [](const std::vector<double>& times, double (*pick)(std::vector<double>)) {
    return times.empty() ? std::string("-") : base::format_duration(pick(times));
  };
  auto least = [](std::vector<double> times) { return best(times); };
  for (const Comparison& comparison : comparisons) {
    std::optional<double> ratio = times_faster(comparison);
    table.add_row(
        {comparison.work, duration(comparison.ours_ns, least), duration(comparison.ours_ns, median),
         comparison.peer, duration(comparison.peer_ns, least), duration(comparison.peer_ns, median),
         ratio ? ratio_text(*ratio) : "-", aims_text(comparison), reached_text(comparison)});
  }
  std::string text = table.text();
  for (const Comparison& comparison : comparisons)
    if (!comparison.failure.empty()) text += comparison.work + ": " + comparison.failure + "\n";
  return text;
}

std::string to_json(const std::vector<Comparison>& comparisons, unsigned threads) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Comparison& comparison : comparisons) {
    std::optional<double> ratio = times_faster(comparison);
    std::optional<bool> reached = is_reached(comparison);
    rows.push_back({{"work", comparison.work},
                    {"ours", times_json(comparison.ours_ns)},
                    {"peer", comparison.peer},
                    {"peer_times", times_json(comparison.peer_ns)},
                    {"times_faster", ratio ? nlohmann::json(*ratio) : nullptr},
                    {"aim", aims_text(comparison)},
                    {"reached", reached ? nlohmann::json(*reached) : nullptr},
                    {"failure", comparison.failure}});
  }
  return nlohmann::json{{"threads", threads}, {"comparisons", rows}}.dump(2) + "\n";
}

}  // namespace assay::bench
