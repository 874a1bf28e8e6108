// Loads of a whole loop at once: only the question whether all of them are fine.
#pragma once

#include <array>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// What lanes load in the rounds of a loop, at the same distance for all of them.
struct SweepLines {
  uint32_t lanes = 0;     // that load anything
  uint64_t step = 0;      // bytes from round to round, modulo 2^64
  uint64_t shortest = 0;  // rounds, of `lanes`
  uint64_t longest = 0;

  bool are_equal_long() const { return shortest == longest; }
};

// Loads that lie within the site's object, which is known, and are aligned. False where something
// is wrong, or addresses do not go on as they begin.
bool find_lines(const LaunchState& state, const kernel::LaneSweep& sweep, SweepLines& found);
bool find_lines(const LaunchState& state, const kernel::LineSweep& sweep, SweepLines& found);

// Lanes without those that load the same as two neighbours before them: two readers say as much as
// many.
uint32_t without_repeats(const kernel::LaneSweep& sweep, const SweepLines& lines);
uint32_t without_repeats(const kernel::LineSweep& sweep, const SweepLines& lines);

// Whether everything that lanes load has a value.
bool have_values(const LaunchState& state, const kernel::LaneSweep& sweep, const SweepLines& lines);
bool have_values(const LaunchState& state, const kernel::LineSweep& sweep, const SweepLines& lines);

// Whether the lanes, a row without a gap, load neighbouring elements in each round.
bool are_side_by_side(const kernel::LaneSweep& sweep, const SweepLines& lines, uint64_t bytes);
bool are_side_by_side(const kernel::LineSweep& sweep, const SweepLines& lines, uint64_t bytes);

// Asks for the memory of the first and the last lane in each round of a short loop: there is little
// between the rounds that a processor could wait with, as it does in code without checks.
void fetch_ahead(const kernel::LaneSweep& sweep, const SweepLines& lines);
void fetch_ahead(const kernel::LineSweep& sweep, const SweepLines& lines);

// When loads are made: equal moments have the same accesses before them, as far as they matter.
struct SweepMoment {
  uint64_t clock = 0;
  uint64_t writes = 0;

  bool operator==(const SweepMoment&) const = default;
};

// Sweeps of one threadgroup that were fine and left nothing to note for whoever makes the same
// again. Simdgroups that work on one tile often do.
class KnownSweeps {
 public:
  void clear();
  bool holds(const kernel::LaneSweep& sweep, const SweepMoment& moment) const;
  bool holds(const kernel::LineSweep& sweep, const SweepMoment& moment) const;
  void add(const kernel::LaneSweep& sweep, const SweepMoment& moment);
  void add(const kernel::LineSweep& sweep, const SweepMoment& moment);

 private:
  using LaneValues = std::array<uint64_t, kernel::kSimdgroupWidth>;
  struct Entry {
    uint32_t mask = 0;  // 0: nothing here
    uint32_t site = 0;
    uint64_t object = 0;
    SweepMoment moment;
    LaneValues first = {};
    LaneValues second = {};
    LaneValues last = {};
    LaneValues rounds = {};
  };
  struct LineEntry {
    kernel::LineSweep sweep;  // without lanes: nothing here
    SweepMoment moment;
  };
  static constexpr size_t kEntries = 8;  // sites that share an entry take turns

  std::array<Entry, kEntries> entries_ = {};
  std::array<LineEntry, kEntries> line_entries_ = {};
};

}  // namespace assay::sanitizer
