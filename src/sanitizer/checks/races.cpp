// See races.h.
#include "sanitizer/checks/races.h"

#include <algorithm>
#include <bit>
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
  if (!state.has_parted) return true;
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
  const uint32_t rest = state.thread_count - event.first_thread;
  const uint32_t there = std::min(rest, kernel::kSimdgroupWidth);
  state.has_parted |= static_cast<uint32_t>(std::popcount(event.mask)) != there;
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

RaceCheck::Turn RaceCheck::turn_of(const LaunchState& state, const MemoryObject& object) const {
  return {.generation = object.state->races.generation(),
          .memory = object.is_threadgroup ? Order::kThreadgroup : Order::kDevice,
          .releases = object.is_threadgroup ? 0U : releases_[state.group]};
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

namespace {

// Whether the last write of an element leaves nothing to ask about: none in this launch, by the
// same thread, or with a barrier of the threadgroup behind it.
bool has_no_rival(uint64_t write, uint64_t self) {
  const uint64_t differences = write ^ self;
  if (CellWord::is_other_launch(differences) || !CellWord::is_other_thread(differences))
    return true;
  return !CellWord::is_other_group(differences) && CellWord::is_other_epoch(differences);
}

// The ordinary cases of read(); false, and nothing noted, for all others.
inline bool pass_read(RaceCell& cell, CellSites& sites, uint64_t as_write, uint64_t as_read,
                      uint16_t number) {
  if (!has_no_rival(cell.write, as_write)) return false;
  const uint64_t differences = cell.read ^ as_read;
  const bool is_first = CellWord::is_other_launch(differences);
  if (is_first || !CellWord::is_other_group(differences)) {
    if (is_first || CellWord::is_other_epoch(differences)) {
      cell.read = as_read | (is_first ? 0 : cell.read & CellWord::kForeign);
      sites.read = number;
      return true;
    }
    if (!CellWord::is_other_sub_epoch(differences)) {
      // Atomic only if all of these reads are.
      const uint64_t kept = cell.read & (as_read | ~CellWord::kAtomic);
      const bool is_mine = !CellWord::is_other_thread(differences);
      cell.read = is_mine ? kept : kept | CellWord::kShared;
      (is_mine ? sites.read : sites.other_read) = number;
      return true;
    }
  }
  return false;
}

// The ordinary cases of write(); false, and nothing noted, for all others.
bool pass_write(RaceCell& cell, CellSites& sites, uint64_t as_write, uint64_t as_read,
                uint16_t number) {
  if (!has_no_rival(cell.write, as_write)) return false;
  const uint64_t differences = cell.read ^ as_read;
  const uint64_t flags = cell.read & (CellWord::kShared | CellWord::kForeign);
  const bool is_new = CellWord::is_other_launch(differences);
  const bool is_mine = !CellWord::is_other_thread(differences) && flags == 0;
  const bool is_over = !CellWord::is_other_group(differences) &&
                       CellWord::is_other_epoch(differences) && (flags & CellWord::kForeign) == 0;
  if (!is_new && !is_mine && !is_over) return false;
  cell.write = as_write;
  sites.write = number;
  return true;
}

// Goes through lanes with `pass`, which is one of the two above. Returns those that need a closer
// look.
template <typename Pass, typename CellOf>
uint32_t pass_lanes(RaceCells& races, uint32_t lanes, uint64_t as_write, uint64_t as_read,
                    uint16_t number, const Pass& pass, const CellOf& cell_of) {
  RaceCell* cells = races.cells();
  CellSites* sites = races.sites();
  uint32_t disputed = 0;
  for_each_lane(lanes, [&](uint32_t lane) {
    const uint64_t at = cell_of(lane);
    const bool passes = pass(cells[at], sites[at], CellWord::of_thread(as_write, lane),
                             CellWord::of_thread(as_read, lane), number);
    disputed |= static_cast<uint32_t>(!passes) << lane;
  });
  return disputed;
}

}  // namespace

// The ordinary cases, fast. Returns the lanes that need a closer look.
uint32_t RaceCheck::pass_undisputed(const LaunchState& state, const kernel::LaneAccess& access,
                                    const MemoryObject& object, uint32_t lanes, const Turn& turn) {
  const SiteFacts& site = state.facts[access.site];
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  const Self first = self_of(state, access.first_thread, turn);
  const uint64_t atomic = site.is_atomic ? CellWord::kAtomic : 0;
  auto pass = [&](const auto& cell_of) {
    const uint64_t as_write = first.as_write | atomic;
    const uint64_t as_read = first.as_read | atomic;
    const uint16_t number = short_site(access.site);
    return site.writes ? pass_lanes(races, lanes, as_write, as_read, number, pass_write, cell_of)
                       : pass_lanes(races, lanes, as_write, as_read, number, pass_read, cell_of);
  };
  if (access.addresses != nullptr) {
    return pass(
        [&](uint32_t lane) { return (access.addresses[lane] - object.state_begin) >> shift; });
  }
  const uint64_t offset = access.address - object.state_begin;
  const auto stride = static_cast<uint64_t>(access.stride);
  return pass([&](uint32_t lane) { return (offset + stride * lane) >> shift; });
}

SweepMoment RaceCheck::moment_of(const LaunchState& state, const kernel::LaneSweep& sweep) const {
  const MemoryObject& object = state.objects[state.facts[sweep.site].object];
  if (!object.tracks_races) return {};
  const Self self = self_of(state, sweep.first_thread, turn_of(state, object));
  // Lanes with different clocks have no moment, and never pass.
  const bool is_one = have_one_clock(state, sweep.first_thread, sweep.mask);
  return {is_one ? CellWord::without_thread(self.as_read) : UINT64_MAX, writes_};
}

RaceCheck::Passage RaceCheck::pass_sweep(const LaunchState& state, const kernel::LaneSweep& sweep,
                                         const SweepLines& lines) const {
  const SiteFacts& site = state.facts[sweep.site];
  const MemoryObject& object = state.objects[site.object];
  if (!object.tracks_races) return Passage::kShared;
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  if (site.bytes != uint64_t{1} << shift || !have_one_clock(state, sweep.first_thread, sweep.mask))
    return Passage::kDisputed;
  const Self first = self_of(state, sweep.first_thread, turn_of(state, object));
  const uint16_t number = short_site(sweep.site);
  bool passes = true;
  uint64_t shared = CellWord::kShared;
  for_each_lane(without_repeats(sweep, lines), [&](uint32_t lane) {
    const uint64_t as_write = CellWord::of_thread(first.as_write, lane);
    const uint64_t as_read = CellWord::of_thread(first.as_read, lane);
    uint64_t offset = sweep.first[lane] - object.state_begin;
    for (uint64_t round = 0; round < sweep.rounds[lane]; ++round, offset += lines.step) {
      const uint64_t at = offset >> shift;
      passes &= pass_read(races.cells()[at], races.sites()[at], as_write, as_read, number);
      shared &= races.cells()[at].read;
    }
  });
  if (!passes) return Passage::kDisputed;
  return shared != 0 ? Passage::kShared : Passage::kPassed;
}

void RaceCheck::on_access(LaunchState& state, const kernel::LaneAccess& access, int index,
                          uint32_t lanes) {
  const MemoryObject& object = state.objects[index];
  const SiteFacts& site = state.facts[access.site];
  if (site.is_atomic && !object.is_threadgroup) note_atomic(state, site);
  if (!object.tracks_races) return;
  if (site.writes) ++writes_;
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  const Turn turn = turn_of(state, object);
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
