// See group_fences.h.
#include "sanitizer/checks/group_fences.h"

namespace assay::sanitizer {
namespace {

uint32_t end_of_simdgroup(uint32_t first_thread) {
  return std::min(first_thread + kernel::kSimdgroupWidth, kernel::kMaxThreadsPerThreadgroup);
}

// Calls `body` with the number of each thread of the simdgroup of `thread`.
template <typename Body>
void for_each_neighbour(uint32_t thread, const Body& body) {
  const uint32_t first = thread / kernel::kSimdgroupWidth * kernel::kSimdgroupWidth;
  for (uint32_t index = first; index < end_of_simdgroup(first); ++index) body(index);
}

}  // namespace

// One lane often asks for all: what it was told comes to the others through operations of the
// simdgroup.
uint32_t GroupFences::last_seen(uint32_t first_thread) const {
  uint32_t seen = 0;
  for_each_neighbour(first_thread,
                     [&](uint32_t index) { seen = std::max(seen, threads_[index].seen); });
  return seen;
}

void GroupFences::on_fence(const LaunchState& state, const kernel::LaneEvent& event,
                           const kernel::CheckSite& fence, uint8_t moment) {
  used_ = std::max(used_, end_of_simdgroup(event.first_thread));
  has_released_ |= fence.releases;
  const bool orders[] = {fence.orders_device, fence.orders_threadgroup};
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t index = event.first_thread + lane;
    for (size_t memory = 0; memory < std::size(orders); ++memory) {
      if (!orders[memory]) continue;
      Side& side = threads_[index].sides[memory];
      if (fence.releases) side.fenced = moment == kLastMoment ? kLastMoment + 1 : moment;
      if (!fence.acquires) continue;
      side.acquired = last_seen(index);
      side.acquired_at = state.clocks[index];
    }
  });
}

void GroupFences::on_atomic(const LaunchState& state, uint32_t first_thread, uint32_t lanes,
                            bool writes, uint32_t publication) {
  if (used_ == 0) return;
  used_ = std::max(used_, end_of_simdgroup(first_thread));
  for_each_lane(lanes, [&](uint32_t lane) {
    Thread& thread = threads_[first_thread + lane];
    thread.seen = publication;
    for (Side& side : thread.sides) {
      if (!writes || side.fenced == 0) continue;
      for (; side.published < side.fenced; ++side.published) {
        side.publications[side.published] = publication;
      }
      side.released_at = state.clocks[first_thread + lane];
    }
  });
}

// Who met the thread at a barrier of their simdgroup in between speaks for it, too.
uint32_t GroupFences::find_publication(const LaunchState& state,
                                       const GroupAccesses& accesses) const {
  const uint32_t self = CellWord::thread(accesses.before);
  const uint32_t sub_epoch = CellWord::sub_epoch(accesses.before);
  const uint32_t moment = CellWord::releases(accesses.before);
  const bool has_met_others = state.clocks[self].sub_epoch(accesses.order) != sub_epoch;
  uint32_t first = 0;
  for_each_neighbour(self, [&](uint32_t index) {
    const Side& side = threads_[index].sides[accesses.is_threadgroup ? 1 : 0];
    const bool has_met = has_met_others && side.released_at.sub_epoch(accesses.order) != sub_epoch;
    const uint32_t publication = side.publications[moment];
    if (publication == 0 || (index != self && !has_met)) return;
    first = first == 0 ? publication : std::min(first, publication);
  });
  return first;
}

bool GroupFences::has_acquired(const GroupAccesses& accesses, uint32_t publication) const {
  const uint32_t self = CellWord::thread(accesses.now);
  const uint32_t sub_epoch = CellWord::sub_epoch(accesses.now);
  bool has_acquired = false;
  for_each_neighbour(self, [&](uint32_t index) {
    const Side& side = threads_[index].sides[accesses.is_threadgroup ? 1 : 0];
    const bool has_met = side.acquired_at.sub_epoch(accesses.order) != sub_epoch;
    has_acquired |= (index == self || has_met) && side.acquired >= publication;
  });
  return has_acquired;
}

bool GroupFences::are_ordered(const LaunchState& state, const GroupAccesses& accesses) const {
  if (used_ == 0) return false;
  const uint32_t publication = find_publication(state, accesses);
  return publication != 0 && has_acquired(accesses, publication);
}

}  // namespace assay::sanitizer
