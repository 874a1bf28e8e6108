// See races.h.
#include "sanitizer/checks/races.h"

#include <cstring>

namespace assay::sanitizer {
namespace {

constexpr uint8_t kMaxReleases = 15;
constexpr uint16_t kUnknownSite = UINT16_MAX;

uint16_t short_site(uint32_t site) {
  return site < kUnknownSite ? static_cast<uint16_t>(site) : kUnknownSite;
}

// Threads that have passed the same barriers differ in nothing but their number.
bool have_one_clock(const LaunchState& state, uint32_t first, uint32_t lanes) {
  const ThreadClock* clocks = &state.clocks[first];
  const auto last = 31 - static_cast<uint32_t>(__builtin_clz(lanes));
  return std::memcmp(clocks, clocks + 1, last * sizeof(ThreadClock)) == 0;
}

bool is_same_thread(uint64_t a, uint64_t b) {
  return CellWord::group(a) == CellWord::group(b) && CellWord::thread(a) == CellWord::thread(b);
}

}  // namespace

void RaceCheck::begin_launch(uint64_t group_count) { releases_.assign(group_count, 0); }

void RaceCheck::begin_group() {
  has_fenced_ = false;
  has_acquired_ = false;
}

// A threadgroup publishes what it wrote by an atomic behind a fence; whoever did an atomic may have
// seen it.
void RaceCheck::note_atomic(LaunchState& state, const SiteFacts& site) {
  has_acquired_ = true;
  if (!has_fenced_ || !site.writes) return;
  uint8_t& releases = releases_[state.group];
  if (releases < kMaxReleases) ++releases;
}

void RaceCheck::on_barrier(LaunchState& state, const kernel::LaneEvent& event) {
  const kernel::CheckSite& site = state.site(event.site);
  if (site.kind == kernel::SiteKind::kFence || site.orders_device) has_fenced_ = true;
  if (site.kind == kernel::SiteKind::kFence) return;
  const bool is_group = site.kind == kernel::SiteKind::kThreadgroupBarrier;
  for_each_lane(event.mask, [&](uint32_t lane) {
    ThreadClock& clock = state.clocks[event.first_thread + lane];
    const bool orders[3] = {site.orders_device, site.orders_threadgroup, true};
    for (int order = 0; order < 3; ++order) {
      if (!orders[order]) continue;
      if (is_group) {
        ++clock.epoch[order];
      } else {
        ++clock.sub_epoch[order];
      }
    }
  });
}

bool RaceCheck::is_ordered(uint64_t before, uint64_t now) const {
  if (CellWord::group(before) == CellWord::group(now)) {
    const uint32_t other = CellWord::thread(before);
    const uint32_t me = CellWord::thread(now);
    if (other == me || CellWord::epoch(before) != CellWord::epoch(now)) return true;
    const bool is_same_simdgroup = other / kernel::kSimdgroupWidth == me / kernel::kSimdgroupWidth;
    return is_same_simdgroup && CellWord::sub_epoch(before) != CellWord::sub_epoch(now);
  }
  const uint64_t other_group = CellWord::group(before);
  if (!has_acquired_ || !has_fenced_ || other_group >= releases_.size()) return false;
  return releases_[other_group] > CellWord::releases(before) ||
         releases_[other_group] == kMaxReleases;
}

void RaceCheck::report(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
                       uint64_t other, uint16_t other_site, bool other_is_write) const {
  const kernel::CheckSite& site = state.site(access.site);
  bool is_same_value = false;
  const bool is_plain_store = site.kind == kernel::SiteKind::kStore && site.bytes <= 8;
  if (is_plain_store && other_is_write && (other & CellWord::kAtomic) == 0) {
    const uint64_t value = access.values == nullptr ? 0 : access.values[place.lane];
    // Lanes store together behind this; what others stored is in memory.
    const uint32_t other_lane = CellWord::thread(other) - access.first_thread;
    const bool is_together = other_site == short_site(access.site) &&
                             CellWord::group(other) == CellWord::short_group(state.group) &&
                             other_lane < kernel::kSimdgroupWidth &&
                             (access.mask >> other_lane & 1) != 0;
    if (is_together) {
      is_same_value = access.values == nullptr || access.values[other_lane] == value;
    } else {
      is_same_value =
          std::memcmp(reinterpret_cast<const void*>(place.address), &value, site.bytes) == 0;
    }
  }
  RawFinding* finding = nullptr;
  const RawRule rule = is_same_value ? RawRule::kRaceSameValue : RawRule::kRace;
  if (!state.report(rule, access.site, access.first_thread + place.lane, finding)) return;
  finding->object = place.index;
  finding->offset = state.offset_of(access, place.index, place.lane);
  finding->other_site = other_site == kUnknownSite ? kNoSite : other_site;
  finding->other_is_write = other_is_write;
  const auto execution = static_cast<size_t>(Order::kExecution);
  finding->epoch = state.clocks[access.first_thread + place.lane].epoch[execution];
  const bool is_known = !is_same_thread(
      other, CellWord::make(0, state.group, access.first_thread + place.lane, 0, 0, 0));
  if (is_known) {
    finding->other_thread = {.group = CellWord::group(other), .thread = CellWord::thread(other)};
  }
}

void RaceCheck::read(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
                     const Self& self) {
  const bool atomic = state.facts[access.site].is_atomic;
  RaceCell& cell = place.cell;
  const bool has_write = CellWord::generation(cell.write) == self.generation;
  if (has_write && !(atomic && (cell.write & CellWord::kAtomic) != 0) &&
      !is_ordered(cell.write, self.as_write)) {
    report(state, access, place, cell.write, place.sites.write, true);
  }
  const uint64_t mine = self.as_read | (atomic ? CellWord::kAtomic : 0);
  const bool has_read = CellWord::generation(cell.read) == self.generation;
  if (!has_read || is_same_thread(cell.read, mine) || is_ordered(cell.read, self.as_read)) {
    // Who reads alone, or first behind a barrier. Readers of other threadgroups stay noted.
    const bool stays_shared = has_read && is_same_thread(cell.read, mine) &&
                              CellWord::epoch(cell.read) == CellWord::epoch(mine);
    uint64_t flags = has_read ? cell.read & CellWord::kForeign : 0;
    if (stays_shared) flags |= cell.read & CellWord::kShared;
    cell.read = mine | flags;
    place.sites.read = short_site(access.site);
    return;
  }
  cell.read |= CellWord::kShared;
  place.sites.other_read = short_site(access.site);
  if (!atomic) cell.read &= ~CellWord::kAtomic;
  if (CellWord::group(cell.read) != CellWord::group(mine)) cell.read |= CellWord::kForeign;
}

void RaceCheck::write(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
                      const Self& self) {
  const bool atomic = state.facts[access.site].is_atomic;
  RaceCell& cell = place.cell;
  const bool has_write = CellWord::generation(cell.write) == self.generation;
  const bool has_read = CellWord::generation(cell.read) == self.generation;
  bool is_reported = false;
  if (has_write && !(atomic && (cell.write & CellWord::kAtomic) != 0) &&
      !is_ordered(cell.write, self.as_write)) {
    report(state, access, place, cell.write, place.sites.write, true);
    is_reported = true;
  }
  if (!is_reported && has_read && !(atomic && (cell.read & CellWord::kAtomic) != 0)) {
    const bool is_mine = is_same_thread(cell.read, self.as_read);
    const bool others_read = (cell.read & CellWord::kShared) != 0 && is_mine &&
                             CellWord::epoch(cell.read) == CellWord::epoch(self.as_read) &&
                             CellWord::sub_epoch(cell.read) == CellWord::sub_epoch(self.as_read);
    const bool others_elsewhere = (cell.read & CellWord::kForeign) != 0 && !has_acquired_;
    if (others_read || others_elsewhere || !is_ordered(cell.read, self.as_read)) {
      report(state, access, place, cell.read, is_mine ? place.sites.other_read : place.sites.read,
             false);
    }
  }
  cell.write = self.as_write | (atomic ? CellWord::kAtomic : 0);
  place.sites.write = short_site(access.site);
}

RaceCheck::Self RaceCheck::self_of(const LaunchState& state, uint32_t thread, const Turn& turn) {
  const ThreadClock& clock = state.clocks[thread];
  auto word = [&](Order order) {
    const auto which = static_cast<size_t>(order);
    return CellWord::make(turn.generation, state.group, thread, clock.epoch[which],
                          clock.sub_epoch[which], turn.releases);
  };
  return {word(turn.memory), word(Order::kExecution), turn.generation};
}

// The ordinary case, fast: elements that nobody else has used in this launch. Returns the lanes
// that need a closer look.
uint32_t RaceCheck::pass_undisputed(const LaunchState& state, const kernel::LaneAccess& access,
                                    const MemoryObject& object, uint32_t lanes, const Turn& turn) {
  const SiteFacts& site = state.facts[access.site];
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  const Self first = self_of(state, access.first_thread, turn);
  const uint64_t atomic = site.is_atomic ? CellWord::kAtomic : 0;
  const uint16_t number = short_site(access.site);
  const bool writes = site.writes;
  uint32_t disputed = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(left));
    const uint64_t at = (access.lane_address(lane) - object.state_begin) >> shift;
    RaceCell& cell = races.cells()[at];
    const uint64_t as_write = CellWord::of_thread(first.as_write, lane);
    const uint64_t as_read = CellWord::of_thread(first.as_read, lane);
    const bool no_write = CellWord::generation(cell.write) != turn.generation ||
                          CellWord::owner(cell.write) == CellWord::owner(as_write) ||
                          CellWord::is_behind_barrier(as_write, cell.write);
    const bool is_new = CellWord::generation(cell.read) != turn.generation;
    const bool is_mine = CellWord::owner(cell.read) == CellWord::owner(as_read) &&
                         (cell.read & (CellWord::kShared | CellWord::kForeign)) == 0;
    const bool is_over =
        CellWord::is_behind_barrier(as_read, cell.read) && (cell.read & CellWord::kForeign) == 0;
    if (!no_write || !(is_new || is_mine || is_over)) {
      disputed |= 1U << lane;
    } else if (writes) {
      cell.write = as_write | atomic;
      races.sites()[at].write = number;
    } else {
      cell.read = as_read | atomic;
      races.sites()[at].read = number;
    }
  }
  return disputed;
}

void RaceCheck::on_access(LaunchState& state, const kernel::LaneAccess& access, int index,
                          uint32_t lanes) {
  const MemoryObject& object = state.objects[index];
  const SiteFacts& site = state.facts[access.site];
  if (site.is_atomic && !object.is_threadgroup) note_atomic(state, site);
  if (!object.tracks_races) return;
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  const Turn turn{.generation = races.generation(),
                  .memory = object.is_threadgroup ? Order::kThreadgroup : Order::kDevice,
                  .releases = object.is_threadgroup ? 0U : releases_[state.group]};
  if (site.bytes == uint64_t{1} << shift && have_one_clock(state, access.first_thread, lanes)) {
    lanes = pass_undisputed(state, access, object, lanes, turn);
  }
  for_each_lane(lanes, [&](uint32_t lane) {
    const Self self = self_of(state, access.first_thread + lane, turn);
    const uint64_t address = access.lane_address(lane);
    const uint64_t offset = address - object.state_begin;
    const uint64_t last = (offset + site.bytes - 1) >> shift;
    for (uint64_t at = offset >> shift; at <= last; ++at) {
      const Place place{races.cells()[at], races.sites()[at], index, address, lane};
      if (site.writes) {
        write(state, access, place, self);
      } else {
        read(state, access, place, self);
      }
    }
  });
}

}  // namespace assay::sanitizer
