// See races.h.
#include "sanitizer/checks/races.h"

#include <algorithm>
#include <cstring>

#include "sanitizer/checks/ordinary_accesses.h"

namespace assay::sanitizer {
namespace {

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

// Modulo 2^64 and rounded down: a line of cells may begin with lanes that use none, before the
// object's first.
uint64_t cell_at(const MemoryObject& object, uint64_t address) {
  const auto offset = static_cast<int64_t>(address - object.state_begin);
  return static_cast<uint64_t>(offset >> object.state->races.granule_shift());
}

bool is_same_thread(uint64_t a, uint64_t b) {
  return CellWord::group(a) == CellWord::group(b) && CellWord::thread(a) == CellWord::thread(b);
}

}  // namespace

void RaceCheck::begin_launch(const LaunchState& state, uint64_t group_count) {
  published_.assign(group_count, 0);
  ticks_.clear();
  for (const kernel::CheckSite& site : state.table->sites) {
    ticks_.push_back(ThreadClock::Tick::of(site));
  }
}

void RaceCheck::begin_group() {
  moment_ = fenced_ = 0;
  publications_ = 0;
  has_written_ = false;
  has_released_ = false;
  has_done_atomic_ = false;
  has_acquired_ = false;
  fences_.begin_group();
}

// A threadgroup publishes what it wrote before a fence by an atomic behind it; whoever did an
// atomic may have seen it.
void RaceCheck::note_atomic(const LaunchState& state, const kernel::LaneAccess& access,
                            bool is_threadgroup, uint32_t lanes) {
  const bool writes = state.facts[access.site].writes;
  const bool is_for_others = has_released_ && !is_threadgroup;
  if (writes && (is_for_others || fences_.has_released())) ++publications_;
  if (writes && is_for_others) published_[state.group] = fenced_;
  has_done_atomic_ |= !is_threadgroup;
  fences_.on_atomic(state, access.first_thread, lanes, writes, publications_);
}

// What is written from now on is not behind this fence.
void RaceCheck::begin_moment() {
  if (!has_written_) return;
  moment_ = std::min<uint8_t>(moment_ + 1, GroupFences::kLastMoment);
  has_written_ = false;
}

void RaceCheck::on_barrier(LaunchState& state, const kernel::LaneEvent& event) {
  const kernel::CheckSite& site = state.site(event.site);
  const bool is_for_others = site.orders_device && site.reaches_device;
  const bool is_group_barrier = site.kind == kernel::SiteKind::kThreadgroupBarrier;
  if (site.releases && (is_for_others || !is_group_barrier)) begin_moment();
  if (is_for_others) {
    if (site.releases) fenced_ = moment_;
    has_released_ |= site.releases;
    has_acquired_ |= site.acquires && has_done_atomic_;
  }
  // Barriers of the threadgroup order more than fences could.
  if (!is_group_barrier) fences_.on_fence(state, event, site, moment_);
  if (site.kind == kernel::SiteKind::kFence) return;
  const uint32_t rest = state.thread_count - event.first_thread;
  const uint32_t there = rest < kernel::kSimdgroupWidth ? (1U << rest) - 1 : UINT32_MAX;
  state.has_parted |= event.mask != there;
  const ThreadClock::Tick tick = ticks_[event.site];
  ThreadClock* clocks = &state.clocks[event.first_thread];
  if (const uint32_t lanes = count_row(event.mask); lanes != 0) {
    for (uint32_t lane = 0; lane < lanes; ++lane) clocks[lane].pass(tick);
  } else {
    for_each_lane(event.mask, [&](uint32_t lane) { clocks[lane].pass(tick); });
  }
}

bool RaceCheck::is_ordered(const LaunchState& state, const GroupAccesses& accesses) const {
  const uint64_t before = accesses.before;
  const uint64_t now = accesses.now;
  if (CellWord::group(before) == CellWord::group(now)) {
    const uint32_t other = CellWord::thread(before);
    const uint32_t me = CellWord::thread(now);
    if (other == me || CellWord::epoch(before) != CellWord::epoch(now)) return true;
    const bool is_same_simdgroup = other / kernel::kSimdgroupWidth == me / kernel::kSimdgroupWidth;
    const uint32_t then_passed = CellWord::sub_epoch(before);
    // Both have come to a barrier since, not only the one that goes on.
    if (is_same_simdgroup && then_passed != CellWord::sub_epoch(now) &&
        then_passed != state.clocks[other].sub_epoch(accesses.order)) {
      return true;
    }
    return fences_.are_ordered(state, accesses);
  }
  const uint64_t other_group = CellWord::group(before);
  if (!has_acquired_ || other_group >= published_.size()) return false;
  return published_[other_group] > CellWord::releases(before) ||
         published_[other_group] == GroupFences::kLastMoment;
}

bool RaceCheck::is_write_over(const LaunchState& state, uint64_t before, const Self& self) const {
  return is_ordered(state, {.order = self.memory,
                            .is_threadgroup = self.memory == Order::kThreadgroup,
                            .before = before,
                            .now = self.as_write});
}

// What was read before any barrier is done.
bool RaceCheck::are_reads_over(const LaunchState& state, uint64_t before, const Self& self) const {
  return is_ordered(state, {.order = Order::kExecution,
                            .is_threadgroup = self.memory == Order::kThreadgroup,
                            .before = before,
                            .now = self.as_read});
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
  finding->epoch = state.clocks[access.first_thread + place.lane].epoch(Order::kExecution);
  const bool is_known = !is_same_thread(
      other, CellWord::make(0, state.group, access.first_thread + place.lane, 0, 0, 0));
  if (is_known) {
    finding->other_thread = {.group = CellWord::group(other), .thread = CellWord::thread(other)};
  }
}

void RaceCheck::read(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
                     const Self& self) {
  const bool atomic = state.facts[access.site].is_atomic;
  const RaceCell& cell = place.cell;
  const bool has_write = CellWord::generation(cell.write) == self.generation;
  if (has_write && !(atomic && (cell.write & CellWord::kAtomic) != 0) &&
      !is_write_over(state, cell.write, self)) {
    report(state, access, place, cell.write, cell.write_site, true);
  }
  if (atomic && is_start_disputed(state, cell, self, CellWord::kReset)) {
    report(state, access, place, cell.write, cell.write_site, true);
  }
  const uint64_t mine = self.as_read | (atomic ? CellWord::kAtomic : 0);
  const bool has_read = CellWord::generation(cell.read) == self.generation;
  if (!has_read || is_same_thread(cell.read, mine) || are_reads_over(state, cell.read, self)) {
    // Who reads alone, or first behind a barrier. Readers of other threadgroups stay noted.
    const bool stays_shared = has_read && is_same_thread(cell.read, mine) &&
                              CellWord::epoch(cell.read) == CellWord::epoch(mine);
    uint64_t flags = has_read ? cell.read & CellWord::kForeign : 0;
    if (stays_shared) flags |= cell.read & CellWord::kShared;
    cell.read = mine | flags;
    cell.read_site = short_site(access.site);
    return;
  }
  cell.read |= CellWord::kShared;
  cell.other_read_site = short_site(access.site);
  if (!atomic) cell.read &= ~CellWord::kAtomic;
  if (CellWord::group(cell.read) != CellWord::group(mine)) cell.read |= CellWord::kForeign;
}

bool RaceCheck::have_others_read(const LaunchState& state, const RaceCell& cell,
                                 const Self& self) const {
  const bool is_by_others = (cell.read & CellWord::kShared) != 0 &&
                            is_same_thread(cell.read, self.as_read) &&
                            CellWord::epoch(cell.read) == CellWord::epoch(self.as_read) &&
                            CellWord::sub_epoch(cell.read) == CellWord::sub_epoch(self.as_read);
  const bool is_by_foreign = (cell.read & CellWord::kForeign) != 0 && !has_done_atomic_;
  return is_by_others || is_by_foreign || !are_reads_over(state, cell.read, self);
}

void RaceCheck::write(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
                      const Self& self) {
  const bool atomic = state.facts[access.site].is_atomic;
  const RaceCell& cell = place.cell;
  const bool has_write = CellWord::generation(cell.write) == self.generation;
  const bool has_read = CellWord::generation(cell.read) == self.generation;
  bool is_reported = false;
  if (has_write && !(atomic && (cell.write & CellWord::kAtomic) != 0) &&
      !is_write_over(state, cell.write, self)) {
    report(state, access, place, cell.write, cell.write_site, true);
    is_reported = true;
  }
  if (!is_reported && has_read && !(atomic && (cell.read & CellWord::kAtomic) != 0) &&
      have_others_read(state, cell, self)) {
    const bool is_mine = is_same_thread(cell.read, self.as_read);
    report(state, access, place, cell.read, is_mine ? cell.other_read_site : cell.read_site, false);
  }
  if (atomic && write_atomic(state, access, place, self)) return;
  cell.write = self.as_write | (atomic ? CellWord::kAtomic : 0);
  cell.write_site = short_site(access.site);
}

// Atomics that work together are of no concern, even where their order matters: flags, counters
// and locks live on that. Certain mistakes are only those with the value that counting begins with.
// True if nothing else needs to be noted.
bool RaceCheck::write_atomic(LaunchState& state, const kernel::LaneAccess& access,
                             const Place& place, const Self& self) {
  const RaceCell& cell = place.cell;
  const bool is_update = state.site(access.site).kind == kernel::SiteKind::kAtomicUpdate;
  if (is_update && is_start_disputed(state, cell, self, CellWord::kStart) &&
      depends_on_start(state, access, self)) {
    report(state, access, place, cell.write, cell.write_site, true);
  }
  // The start stays what others see, until its own thread comes to a barrier.
  if (is_update) {
    return has_start(cell, self, CellWord::kStart) &&
           CellWord::without_flags(cell.write) == self.as_write &&
           CellWord::without_flags(cell.read) == self.as_read;
  }
  const uint64_t start = find_start(state, access, place, self);
  if (start == 0) return false;
  const bool is_first = !has_start(cell, self, start);
  if (start == CellWord::kReset && is_first && have_others_read(state, cell, self)) {
    const bool is_mine = is_same_thread(cell.read, self.as_read);
    report(state, access, place, cell.read, is_mine ? cell.other_read_site : cell.read_site, false);
  }
  // As a read, too: any barrier orders atomics, whatever memory it names.
  cell.write = self.as_write | CellWord::kAtomic | start;
  cell.read = self.as_read | CellWord::kAtomic;
  cell.write_site = cell.read_site = short_site(access.site);
  return true;
}

bool RaceCheck::has_start(const RaceCell& cell, const Self& self, uint64_t start) {
  return CellWord::generation(cell.write) == self.generation && (cell.write & start) != 0 &&
         cell.read_site == cell.write_site && is_same_thread(cell.read, cell.write);
}

// Whether another thread of the threadgroup has put a value there, and nothing orders that.
bool RaceCheck::is_start_disputed(const LaunchState& state, const RaceCell& cell, const Self& self,
                                  uint64_t start) const {
  return has_start(cell, self, start) && !is_same_thread(cell.write, self.as_write) &&
         CellWord::group(cell.write) == CellWord::group(self.as_write) &&
         !are_reads_over(state, cell.read, self);
}

// What threads count is lost if the start comes later. Buffers may have had a value before: then
// that only goes for sums.
bool RaceCheck::depends_on_start(const LaunchState& state, const kernel::LaneAccess& access,
                                 const Self& self) {
  return self.memory == Order::kThreadgroup || state.site(access.site).type == "+";
}

// What a store begins (kStart: an element of this launch, kReset: the next round of a counter of
// the threadgroup, behind a barrier), or 0.
uint64_t RaceCheck::find_start(const LaunchState& state, const kernel::LaneAccess& access,
                               const Place& place, const Self& self) const {
  const RaceCell& cell = place.cell;
  const bool is_threadgroup = self.memory == Order::kThreadgroup;
  const bool is_zero = access.values == nullptr || access.values[place.lane] == 0;
  if (!is_threadgroup && !is_zero) return 0;
  const bool has_write = CellWord::generation(cell.write) == self.generation;
  const bool has_read = CellWord::generation(cell.read) == self.generation;
  if (!has_write && !has_read) return CellWord::kStart;
  if (!has_write) return 0;
  // Several threads may do it together.
  for (const uint64_t start : {CellWord::kStart, CellWord::kReset}) {
    if (has_start(cell, self, start) && cell.write_site == short_site(access.site) &&
        !are_reads_over(state, cell.read, self)) {
      return start;
    }
  }
  const bool was_counted = (cell.write & CellWord::kAtomic) != 0 &&
                           cell.write_site != kUnknownSite &&
                           state.site(cell.write_site).kind == kernel::SiteKind::kAtomicUpdate;
  const bool is_reset = is_threadgroup && is_zero && was_counted && has_read &&
                        (cell.read & CellWord::kAtomic) != 0 &&
                        CellWord::epoch(cell.write) != CellWord::epoch(self.as_write);
  return is_reset ? CellWord::kReset : 0;
}

RaceCheck::Turn RaceCheck::turn_of(const MemoryObject& object) const {
  return {.generation = object.state->races.generation(),
          .memory = object.is_threadgroup ? Order::kThreadgroup : Order::kDevice,
          .releases = moment_};
}

RaceCheck::Self RaceCheck::self_of(const LaunchState& state, uint32_t thread, const Turn& turn) {
  const ThreadClock& clock = state.clocks[thread];
  auto word = [&](Order order) {
    return CellWord::make(turn.generation, state.group, thread, clock.epoch(order),
                          clock.sub_epoch(order), turn.releases);
  };
  return {word(turn.memory), word(Order::kExecution), turn.generation, turn.memory};
}

// The ordinary cases, fast. Returns the lanes that need a closer look.
uint32_t RaceCheck::pass_undisputed(const LaunchState& state, const kernel::LaneAccess& access,
                                    const MemoryObject& object, uint32_t lanes, const Turn& turn) {
  const SiteFacts& site = state.facts[access.site];
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  const Self first = self_of(state, access.first_thread, turn);
  const uint64_t atomic = site.is_atomic ? CellWord::kAtomic : 0;
  const CellAccess cell_access{.as_write = first.as_write | atomic,
                               .as_read = first.as_read | atomic,
                               .site = short_site(access.site),
                               .writes = site.writes,
                               .has_readers = object.has_readers};
  if (access.addresses != nullptr) {
    return pass_lanes(races, cell_access, lanes,
                      [&](uint32_t lane) { return cell_at(object, access.addresses[lane]); });
  }
  const auto stride = static_cast<uint64_t>(access.stride);
  const uint64_t granule = uint64_t{1} << shift;
  if (stride % granule == 0) {
    const auto step = static_cast<uint64_t>(access.stride >> shift);
    return pass_line(races, cell_access, lanes,
                     {.first = cell_at(object, access.address), .step = step});
  }
  return pass_lanes(races, cell_access, lanes,
                    [&](uint32_t lane) { return cell_at(object, access.lane_address(lane)); });
}

SweepMoment RaceCheck::moment_of(const LaunchState& state, const kernel::LaneEvent& sweep) const {
  const MemoryObject& object = state.objects[state.facts[sweep.site].object];
  if (!object.tracks_races) return {};
  const Self self = self_of(state, sweep.first_thread, turn_of(object));
  // Lanes with different clocks have no moment, and never pass.
  const bool is_one = have_one_clock(state, sweep.first_thread, sweep.mask);
  return {is_one ? CellWord::without_thread(self.as_read) : UINT64_MAX, writes_};
}

template <typename Sweep>
RaceCheck::Passage RaceCheck::pass_sweep(const LaunchState& state, const Sweep& sweep,
                                         const SweepLines& lines) const {
  const SiteFacts& site = state.facts[sweep.site];
  const MemoryObject& object = state.objects[site.object];
  if (!object.tracks_races || lines.lanes == 0) return Passage::kShared;
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  if (site.bytes != uint64_t{1} << shift || lines.step % site.bytes != 0 ||
      !have_one_clock(state, sweep.first_thread, sweep.mask)) {
    return Passage::kDisputed;
  }
  const Self first = self_of(state, sweep.first_thread, turn_of(object));
  const CellAccess access{.as_write = first.as_write,
                          .as_read = first.as_read,
                          .site = short_site(sweep.site),
                          .writes = false};
  const uint64_t step = static_cast<uint64_t>(static_cast<int64_t>(lines.step) >> shift);
  auto first_cell = [&](uint32_t lane) { return cell_at(object, sweep.first_of(lane)); };
  bool are_shared = true;
  auto pass_lane = [&](uint32_t lane) {
    const CellLine line{.first = first_cell(lane), .step = step};
    const uint64_t rounds = sweep.rounds_of(lane);
    if (!pass_reads(races, of_lane(access, lane), line, rounds)) return false;
    are_shared = are_shared && have_several_readers(races, line, rounds);
    return true;
  };
  auto pass_round = [&](uint64_t round) {
    const CellLine line{.first = first_cell(0) + step * round, .step = 1};
    if (pass_line(races, access, lines.lanes, line) != 0) return false;
    are_shared = are_shared && have_several_readers(races, line, count_row(lines.lanes));
    return true;
  };
  if (lines.are_equal_long() && are_side_by_side(sweep, lines, site.bytes)) {
    for (uint64_t round = 0; round < lines.longest; ++round) {
      if (!pass_round(round)) return Passage::kDisputed;
    }
  } else {
    for (uint32_t left = without_repeats(sweep, lines); left != 0; left &= left - 1) {
      if (!pass_lane(static_cast<uint32_t>(__builtin_ctz(left)))) return Passage::kDisputed;
    }
  }
  return are_shared ? Passage::kShared : Passage::kPassed;
}

template RaceCheck::Passage RaceCheck::pass_sweep(const LaunchState&, const kernel::LaneSweep&,
                                                  const SweepLines&) const;
template RaceCheck::Passage RaceCheck::pass_sweep(const LaunchState&, const kernel::LineSweep&,
                                                  const SweepLines&) const;

void RaceCheck::on_access(LaunchState& state, const kernel::LaneAccess& access, int index,
                          uint32_t lanes) {
  const MemoryObject& object = state.objects[index];
  const SiteFacts& site = state.facts[access.site];
  if (site.is_atomic) note_atomic(state, access, object.is_threadgroup, lanes);
  if (!object.tracks_races) return;
  if (site.writes) ++writes_;
  has_written_ |= site.writes;
  RaceCells& races = object.state->races;
  const uint32_t shift = races.granule_shift();
  const Turn turn = turn_of(object);
  const bool is_ordinary = !site.is_atomic || !site.writes;
  if (is_ordinary && site.bytes == uint64_t{1} << shift &&
      have_one_clock(state, access.first_thread, lanes)) {
    lanes = pass_undisputed(state, access, object, lanes, turn);
  }
  for_each_lane(lanes, [&](uint32_t lane) {
    const Self self = self_of(state, access.first_thread + lane, turn);
    const uint64_t address = access.lane_address(lane);
    const uint64_t last = cell_at(object, address + site.bytes - 1);
    for (uint64_t at = cell_at(object, address); at <= last; ++at) {
      const Place place{races.cell(at), index, address, lane};
      if (site.writes) {
        write(state, access, place, self);
      } else {
        read(state, access, place, self);
      }
    }
  });
}

}  // namespace assay::sanitizer
