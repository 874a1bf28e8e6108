// Nearly all memory of the device is in use.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/rules/rules.h"
#include "base/format.h"

namespace assay::analysis {
namespace {

constexpr double kMuch = 0.85;

}  // namespace

void look_for_memory_pressure(const RuleContext& context, std::vector<Finding>& findings) {
  const int64_t total = context.timeline.device_memory_bytes;
  if (total <= 0 || context.timeline.memory.empty()) return;
  const MemoryPoint& peak =
      *std::ranges::max_element(context.timeline.memory, {}, &MemoryPoint::active);
  const double share = static_cast<double>(peak.active) / static_cast<double>(total);
  if (share < kMuch) return;
  Finding finding{.rule = "memory-pressure", .severity = Severity::kHigh};
  finding.title = fmt::format("{} of the device's memory was in use", percent(share));
  finding.detail =
      fmt::format("{} of {} at the peak; the next allocation may fail or push others out.",
                  base::format_bytes(static_cast<uint64_t>(peak.active)),
                  base::format_bytes(static_cast<uint64_t>(total)));
  finding.evidence = {{"peak", base::format_bytes(static_cast<uint64_t>(peak.active))},
                      {"memory", base::format_bytes(static_cast<uint64_t>(total))}};
  finding.advice = "use smaller batches or a smaller dtype, or evaluate and free parts earlier";
  add_range({peak.at, peak.at}, finding);
  findings.push_back(std::move(finding));
}

}  // namespace assay::analysis
