// See inexact_ranges.h.
#include "replay/inexact_ranges.h"

namespace assay::replay {

void InexactRanges::add(const Range& range, const Cause& cause) {
  if (range.begin >= range.end) return;
  clear(range);
  parts_[range.buffer].push_back({range.begin, range.end, cause});
}

void InexactRanges::clear(const Range& range) {
  const auto known = parts_.find(range.buffer);
  if (known == parts_.end()) return;
  std::vector<Part> kept;
  for (const Part& part : known->second) {
    if (part.end <= range.begin || range.end <= part.begin) {
      kept.push_back(part);
      continue;
    }
    if (part.begin < range.begin) kept.push_back({part.begin, range.begin, part.cause});
    if (range.end < part.end) kept.push_back({range.end, part.end, part.cause});
  }
  if (kept.empty()) {
    parts_.erase(known);
  } else {
    known->second = std::move(kept);
  }
}

std::optional<InexactRanges::Cause> InexactRanges::find(const Range& range) const {
  const auto known = parts_.find(range.buffer);
  if (known == parts_.end()) return std::nullopt;
  std::optional<Cause> worst;
  for (const Part& part : known->second) {
    if (part.end <= range.begin || range.end <= part.begin) continue;
    const bool is_worse =
        !worst || (worst->reason != Reason::kDiffers && part.cause.reason == Reason::kDiffers);
    if (is_worse) worst = part.cause;
  }
  return worst;
}

}  // namespace assay::replay
