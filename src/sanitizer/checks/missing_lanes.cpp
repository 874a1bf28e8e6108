// See missing_lanes.h.
#include "sanitizer/checks/missing_lanes.h"

#include <algorithm>

namespace assay::sanitizer {

using kernel::kSimdgroupWidth;

void MissingLaneCheck::begin_group() {
  if (has_taken_) taken_at_.fill({});
  has_taken_ = false;
}

void MissingLaneCheck::on_taken(const kernel::LaneEvent& event, const uint64_t* values) {
  has_taken_ = true;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t thread = event.first_thread + lane;
    taken_at_[thread] = {event.site, thread, values[lane]};
  });
}

// Its own, or that of a lane from which it has the value.
const MissingLaneCheck::Taken* MissingLaneCheck::find_taken(uint32_t thread) const {
  if (taken_at_[thread].site != kNoSite) return &taken_at_[thread];
  const auto* const first = taken_at_.begin() + thread / kSimdgroupWidth * kSimdgroupWidth;
  const auto* const found = std::find_if(first, first + kSimdgroupWidth,
                                         [](const Taken& taken) { return taken.site != kNoSite; });
  return found == first + kSimdgroupWidth ? nullptr : found;
}

void MissingLaneCheck::on_use(LaunchState& state, const kernel::LaneEvent& event) {
  if (!state.checks.has(Check::kUninitialised)) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const Taken* taken = find_taken(event.first_thread + lane);
    RawFinding* finding = nullptr;
    if (taken == nullptr ||
        !state.report(RawRule::kMissingLane, taken->site, taken->thread, finding)) {
      return;
    }
    finding->other_site = event.site;
    finding->values[0] = taken->lane;
  });
}

}  // namespace assay::sanitizer
