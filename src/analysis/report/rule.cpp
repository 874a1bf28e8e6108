// See rule.h.
#include "analysis/report/rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/format.h"

namespace assay::analysis {

void set_gain(const Activity& activity, int64_t gain_ns, Finding& finding) {
  constexpr double kHigh = 0.25, kMedium = 0.1;
  finding.gain_ns = std::clamp<int64_t>(gain_ns, 0, activity.window.length());
  finding.gain_share = activity.share(finding.gain_ns);
  finding.severity = finding.gain_share >= kHigh     ? Severity::kHigh
                     : finding.gain_share >= kMedium ? Severity::kMedium
                                                     : Severity::kLow;
}

void add_commands(std::span<const TimedCommand* const> commands, Finding& finding) {
  for (const TimedCommand* command : commands) {
    if (finding.commands.size() < kMaxListed) finding.commands.push_back(command->id);
    const bool is_new =
        std::ranges::find(finding.kernels, command->kernel) == finding.kernels.end();
    if (command->kernel != 0 && is_new && finding.kernels.size() < kMaxListed) {
      finding.kernels.push_back(command->kernel);
    }
  }
}

void add_range(const TimeRange& range, Finding& finding) {
  if (finding.ranges.size() < kMaxListed) finding.ranges.push_back(range);
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

std::string duration(int64_t ns) { return base::format_duration(static_cast<double>(ns)); }

std::string join_names(const std::vector<std::string>& names, size_t most) {
  if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
  return fmt::format(
      "{} and {} more",
      fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(most), ", "),
      names.size() - most);
}

int64_t quantile(std::vector<int64_t> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<size_t>(at)];
}

}  // namespace assay::analysis
