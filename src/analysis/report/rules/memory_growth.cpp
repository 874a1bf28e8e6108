// Memory that grows with every step.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/report/rules/rules.h"
#include "base/format.h"

namespace assay::analysis {
namespace {

constexpr size_t kParts = 8;
constexpr int64_t kLeastBytes = 1 << 20;

// The least memory in use in each part of the window, so that what a step needs for itself does not
// count; empty where a part has none.
std::vector<int64_t> least_by_part(const RuleContext& context) {
  const TimeRange& window = context.activity.window;
  std::vector<int64_t> least(kParts, -1);
  for (const MemoryPoint& point : context.timeline.memory) {
    if (point.at < window.begin || point.at >= window.end) continue;
    const auto part = static_cast<size_t>(static_cast<double>(point.at - window.begin) /
                                          static_cast<double>(window.length()) * kParts);
    int64_t& entry = least[std::min(part, kParts - 1)];
    entry = entry < 0 ? point.active : std::min(entry, point.active);
  }
  std::erase(least, -1);
  return least;
}

// The line that writes the most.
trace::Id heaviest_site(const RuleContext& context) {
  std::map<trace::Id, int64_t> bytes;
  for (const TimedCommand* command : context.activity.commands) {
    bytes[command->site] += command->bytes_written;
  }
  const auto most =
      std::ranges::max_element(bytes, {}, [](const auto& each) { return each.second; });
  return most == bytes.end() ? 0 : most->first;
}

}  // namespace

void look_for_memory_growth(const RuleContext& context, std::vector<Finding>& findings) {
  const std::vector<int64_t> least = least_by_part(context);
  if (least.size() < kParts - 2 || !std::ranges::is_sorted(least)) return;
  const int64_t growth = least.back() - least.front();
  // Every part has more than the one before, give or take one.
  const auto steps = std::ranges::adjacent_find(least, std::equal_to<>());
  if (growth < kLeastBytes || growth < least.front() / 4 || steps != least.end()) return;
  // In the end it stops the program, which no gain of time outweighs.
  Finding finding{.rule = "memory-growth", .severity = Severity::kHigh};
  finding.title = fmt::format("Memory grows with every step, from {} to {}",
                              base::format_bytes(static_cast<uint64_t>(least.front())),
                              base::format_bytes(static_cast<uint64_t>(least.back())));
  const auto evaluations =
      static_cast<int64_t>(std::max<size_t>(1, context.activity.evaluations.size()));
  finding.detail = fmt::format(
      "Memory in use never falls below what it was before: {} more in {} steps, {} for each. "
      "Somebody keeps the arrays, or the graphs that lead to them.",
      base::format_bytes(static_cast<uint64_t>(growth)), evaluations,
      base::format_bytes(static_cast<uint64_t>(growth / evaluations)));
  finding.evidence = {{"at first", base::format_bytes(static_cast<uint64_t>(least.front()))},
                      {"at last", base::format_bytes(static_cast<uint64_t>(least.back()))},
                      {"steps", fmt::format("{}", evaluations)}};
  finding.site = context.timeline.text(heaviest_site(context));
  finding.advice =
      "look for lists and attributes that keep arrays of every step; keep numbers (item()) or only "
      "the last ones";
  add_range(context.activity.window, finding);
  findings.push_back(std::move(finding));
}

}  // namespace assay::analysis
