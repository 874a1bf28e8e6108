// See barriers.h.
#include "sanitizer/checks/barriers.h"

#include <algorithm>

namespace assay::sanitizer {

void BarrierCheck::begin_group(const LaunchState& state) {
  std::fill_n(passed_.begin(), state.thread_count, 0);
  most_ = 0;
  parted_after_.reset();
}

void BarrierCheck::on_barrier(LaunchState& state, const kernel::LaneEvent& event) {
  if (state.site(event.site).kind != kernel::SiteKind::kThreadgroupBarrier) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t thread = event.first_thread + lane;
    const uint32_t number = passed_[thread]++;
    if (number >= most_) {
      most_ = number + 1;
      if (number < kRemembered) {
        sites_[number] = event.site;
        first_[number] = thread;
      }
      return;
    }
    if (number >= kRemembered || sites_[number] == event.site) return;
    // Copies of one place in the source are one barrier.
    const kernel::SitePlace& here = state.site(event.site).place;
    const kernel::SitePlace& there = state.site(sites_[number]).place;
    if (here.line == there.line && here.column == there.column && here.file == there.file) return;
    parted_after_ = std::min(parted_after_.value_or(number), number);
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kBarrierDivergence, event.site, thread, finding)) return;
    finding->other_site = sites_[number];
    finding->other_thread = state.thread(first_[number]);
  });
}

std::optional<uint32_t> BarrierCheck::end_group(LaunchState& state) {
  for (uint32_t thread = 0; thread < state.thread_count; ++thread) {
    if (passed_[thread] >= most_) continue;
    parted_after_ = std::min(parted_after_.value_or(passed_[thread]), passed_[thread]);
    const uint32_t missed = std::min(passed_[thread], kRemembered - 1);
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kBarrierDivergence, sites_[missed], thread, finding)) continue;
    finding->other_thread = state.thread(first_[missed]);
  }
  return parted_after_;
}

}  // namespace assay::sanitizer
