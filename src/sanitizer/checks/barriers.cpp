// See barriers.h.
#include "sanitizer/checks/barriers.h"

#include <algorithm>

namespace assay::sanitizer {
namespace {

bool is_same_place(const kernel::SitePlace& a, const kernel::SitePlace& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

// Copies of one place in the source are one barrier, unless they come from several calls.
bool is_same_barrier(const kernel::CheckSite& a, const kernel::CheckSite& b) {
  return is_same_place(a.place, b.place) && std::ranges::equal(a.callers, b.callers, is_same_place);
}

std::optional<uint32_t> earlier(std::optional<uint32_t> a, std::optional<uint32_t> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// The ordinary case: a row of lanes that have all come to the same barrier. Otherwise false, and
// nothing noted.
template <typename Row>
bool pass_together(const kernel::LaneEvent& event, Row& row, uint32_t* passed) {
  const uint32_t lanes = count_row(event.mask);
  const uint32_t number = passed[0];
  const bool is_known =
      number < row.most && (number >= row.sites.size() || row.sites[number] == event.site);
  if (lanes == 0 || (number < row.most && !is_known)) return false;
  uint32_t differences = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) differences |= passed[lane] ^ number;
  if (differences != 0) return false;
  for (uint32_t lane = 0; lane < lanes; ++lane) passed[lane] = number + 1;
  if (!is_known) row.note_first(number, event.site, event.first_thread);
  return true;
}

}  // namespace

template <uint32_t remembered>
void BarrierRow<remembered>::note_first(uint32_t number, uint32_t site, uint32_t thread) {
  most = number + 1;
  if (number >= remembered) return;
  sites[number] = site;
  first[number] = thread;
}

void BarrierCheck::begin_group() {
  if (group_.most != 0) passed_.fill(0);
  group_.most = 0;
  if (has_simdgroup_barriers_) {
    passed_in_simdgroup_.fill(0);
    for (auto& row : simdgroups_) row.most = 0;
    has_simdgroup_barriers_ = false;
  }
  parted_after_.reset();
}

template <typename Row>
std::optional<uint32_t> BarrierCheck::pass(LaunchState& state, const kernel::LaneEvent& event,
                                           Row& row, Passed& passed) {
  std::optional<uint32_t> parted;
  if (pass_together(event, row, &passed[event.first_thread])) return parted;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t thread = event.first_thread + lane;
    const uint32_t number = passed[thread]++;
    if (number >= row.most) return row.note_first(number, event.site, thread);
    if (number >= row.sites.size() || row.sites[number] == event.site) return;
    if (is_same_barrier(state.site(event.site), state.site(row.sites[number]))) return;
    parted = earlier(parted, number);
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kBarrierDivergence, event.site, thread, finding)) return;
    finding->other_site = row.sites[number];
    finding->other_thread = state.thread(row.first[number]);
  });
  return parted;
}

void BarrierCheck::on_barrier(LaunchState& state, const kernel::LaneEvent& event) {
  const kernel::SiteKind kind = state.site(event.site).kind;
  if (kind == kernel::SiteKind::kThreadgroupBarrier) {
    parted_after_ = earlier(parted_after_, pass(state, event, group_, passed_));
  } else if (kind == kernel::SiteKind::kSimdgroupBarrier) {
    has_simdgroup_barriers_ = true;
    auto& row = simdgroups_[event.first_thread / kernel::kSimdgroupWidth];
    pass(state, event, row, passed_in_simdgroup_);
  }
}

template <typename Row>
std::optional<uint32_t> BarrierCheck::find_missing(LaunchState& state, const Row& row,
                                                   const Passed& passed, uint32_t begin,
                                                   uint32_t end) {
  std::optional<uint32_t> parted;
  for (uint32_t thread = begin; row.most != 0 && thread < end; ++thread) {
    if (passed[thread] >= row.most) continue;
    parted = earlier(parted, passed[thread]);
    const uint32_t missed = std::min(passed[thread], static_cast<uint32_t>(row.sites.size()) - 1);
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kBarrierDivergence, row.sites[missed], thread, finding)) continue;
    finding->other_thread = state.thread(row.first[missed]);
  }
  return parted;
}

std::optional<uint32_t> BarrierCheck::end_group(LaunchState& state) {
  const uint32_t count = state.thread_count;
  for (uint32_t begin = 0; has_simdgroup_barriers_ && begin < count;
       begin += kernel::kSimdgroupWidth) {
    find_missing(state, simdgroups_[begin / kernel::kSimdgroupWidth], passed_in_simdgroup_, begin,
                 std::min(begin + kernel::kSimdgroupWidth, count));
  }
  return earlier(parted_after_, find_missing(state, group_, passed_, 0, count));
}

}  // namespace assay::sanitizer
