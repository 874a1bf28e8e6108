// See barriers.h.
#include "sanitizer/checks/barriers.h"

#include <algorithm>

namespace assay::sanitizer {

void BarrierCheck::begin_group() {
  if (most_ != 0) passed_.fill(0);
  most_ = 0;
  parted_after_.reset();
}

// The ordinary case: a row of lanes that have all come to the same barrier. Otherwise false, and
// nothing noted.
bool BarrierCheck::pass_together(const kernel::LaneEvent& event) {
  const uint32_t lanes = count_row(event.mask);
  uint32_t* passed = &passed_[event.first_thread];
  const uint32_t number = passed[0];
  const bool is_known = number < most_ && (number >= kRemembered || sites_[number] == event.site);
  if (lanes == 0 || (number < most_ && !is_known)) return false;
  uint32_t differences = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) differences |= passed[lane] ^ number;
  if (differences != 0) return false;
  for (uint32_t lane = 0; lane < lanes; ++lane) passed[lane] = number + 1;
  if (!is_known) note_first(number, event.site, event.first_thread);
  return true;
}

void BarrierCheck::note_first(uint32_t number, uint32_t site, uint32_t thread) {
  most_ = number + 1;
  if (number >= kRemembered) return;
  sites_[number] = site;
  first_[number] = thread;
}

void BarrierCheck::on_barrier(LaunchState& state, const kernel::LaneEvent& event) {
  if (state.site(event.site).kind != kernel::SiteKind::kThreadgroupBarrier) return;
  if (pass_together(event)) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t thread = event.first_thread + lane;
    const uint32_t number = passed_[thread]++;
    if (number >= most_) return note_first(number, event.site, thread);
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
  if (most_ == 0) return std::nullopt;
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
