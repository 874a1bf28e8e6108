// Accesses that plainly do not race, by far the most: noted fast, whole rows of lanes at a time.
// Leaves all others to RaceCheck.
#pragma once

#include "sanitizer/launch_state.h"
#include "sanitizer/memory_state.h"

namespace assay::sanitizer {

// What the lanes of one access note in the cells they use. All of them have passed the same
// barriers; words are those of lane 0's thread.
struct CellAccess {
  uint64_t as_write = 0;
  uint64_t as_read = 0;
  uint16_t site = 0;
  bool writes = false;
  bool has_readers = true;  // of any of the object's cells
};

// Which cells lanes use, one each: that of lane 0, and how far it is from lane to lane.
struct CellLine {
  uint64_t first = 0;
  uint64_t step = 1;  // modulo 2^64
};

// Whether the last write of an element leaves nothing to ask about: none in this launch, by the
// same thread, or with a barrier of the threadgroup behind it.
inline bool has_no_rival(uint64_t write, uint64_t self) {
  const uint64_t differences = write ^ self;
  if (CellWord::is_other_launch(differences) || !CellWord::is_other_thread(differences))
    return true;
  return !CellWord::is_other_group(differences) && CellWord::is_other_epoch(differences);
}

// A read by one thread. False, and nothing noted, where it needs a closer look.
inline bool pass_read(const RaceCell& cell, uint64_t as_write, uint64_t as_read, uint16_t site) {
  if (!has_no_rival(cell.write, as_write)) return false;
  const uint64_t differences = cell.read ^ as_read;
  const bool is_first = CellWord::is_other_launch(differences);
  if (!is_first && CellWord::is_other_group(differences)) return false;
  if (is_first || CellWord::is_other_epoch(differences)) {
    cell.read = as_read | (is_first ? 0 : cell.read & CellWord::kForeign);
    cell.read_site = site;
    return true;
  }
  if (CellWord::is_other_sub_epoch(differences)) return false;
  // Atomic only if all of these reads are.
  const uint64_t kept = cell.read & (as_read | ~CellWord::kAtomic);
  const bool is_mine = !CellWord::is_other_thread(differences);
  cell.read = is_mine ? kept : kept | CellWord::kShared;
  (is_mine ? cell.read_site : cell.other_read_site) = site;
  return true;
}

// The same for a write.
inline bool pass_write(const RaceCell& cell, uint64_t as_write, uint64_t as_read, uint16_t site) {
  if (!has_no_rival(cell.write, as_write)) return false;
  const uint64_t differences = cell.read ^ as_read;
  const uint64_t flags = cell.read & (CellWord::kShared | CellWord::kForeign);
  const bool is_new = CellWord::is_other_launch(differences);
  const bool is_mine = !CellWord::is_other_thread(differences) && flags == 0;
  const bool is_over = !CellWord::is_other_group(differences) &&
                       CellWord::is_other_epoch(differences) && (flags & CellWord::kForeign) == 0;
  if (!is_new && !is_mine && !is_over) return false;
  cell.write = as_write;
  cell.write_site = site;
  return true;
}

// Lane by lane, lowest first, where `cell_of` says. Returns the lanes that need a closer look.
template <typename CellOf>
uint32_t pass_lanes(RaceCells& races, const CellAccess& access, uint32_t lanes,
                    const CellOf& cell_of) {
  uint32_t disputed = 0;
  auto pass_all = [&](const auto& pass) {
    for_each_lane(lanes, [&](uint32_t lane) {
      const bool passes =
          pass(races.cell(cell_of(lane)), CellWord::of_thread(access.as_write, lane),
               CellWord::of_thread(access.as_read, lane), access.site);
      disputed |= static_cast<uint32_t>(!passes) << lane;
    });
  };
  if (access.writes) {
    pass_all([](const auto&... arguments) { return pass_write(arguments...); });
  } else {
    pass_all([](const auto&... arguments) { return pass_read(arguments...); });
  }
  return disputed;
}

// The same for lanes along a line: neighbours that use neighbouring cells together.
uint32_t pass_line(RaceCells& races, const CellAccess& access, uint32_t lanes,
                   const CellLine& line);

// The access as a thread alone makes it.
inline CellAccess of_lane(const CellAccess& access, uint32_t lane) {
  CellAccess single = access;
  single.as_write = CellWord::of_thread(access.as_write, lane);
  single.as_read = CellWord::of_thread(access.as_read, lane);
  return single;
}

// Reads of one thread, lane 0 of `access`, along a line of `count` cells. False where some need a
// closer look; others may be noted then.
bool pass_reads(RaceCells& races, const CellAccess& access, const CellLine& line, uint64_t count);
// Whether each of these cells was read by more than one thread since its last barrier.
bool have_several_readers(RaceCells& races, const CellLine& line, uint64_t count);

}  // namespace assay::sanitizer
