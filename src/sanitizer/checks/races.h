// Two threads may use the same element unordered only if neither writes it, or both are atomic.
#pragma once

#include <vector>

#include "sanitizer/checks/group_fences.h"
#include "sanitizer/checks/sweeps.h"
#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// Follows the order that barriers, fences and atomics make. Used by one host thread.
class RaceCheck {
 public:
  void begin_launch(const LaunchState& state, uint64_t group_count);
  void begin_group();

  void on_access(LaunchState& state, const kernel::LaneAccess& access, int object, uint32_t lanes);
  // Notes loads if all of them are fine; otherwise some of them, which then come again.
  enum class Passage { kDisputed, kPassed, kShared };  // kShared: others may do the same unnoted
  template <typename Sweep>
  Passage pass_sweep(const LaunchState& state, const Sweep& sweep, const SweepLines& lines) const;
  // Changes with every barrier of these threads, and every write of any.
  SweepMoment moment_of(const LaunchState& state, const kernel::LaneEvent& sweep) const;
  void on_barrier(LaunchState& state, const kernel::LaneEvent& event);

 private:
  struct Place {
    RaceCell cell;
    int index;  // of the object
    uint64_t address;
    uint32_t lane;
  };
  struct Self {
    // CellWords of this access without flags.
    uint64_t as_write;
    uint64_t as_read;
    uint64_t generation;
    Order memory;  // that `as_write` goes by; `as_read` goes by kExecution
  };

  // The same for all lanes of an access.
  struct Turn {
    uint64_t generation;
    Order memory;
    uint32_t releases;
  };

  Turn turn_of(const MemoryObject& object) const;
  static Self self_of(const LaunchState& state, uint32_t thread, const Turn& turn);
  static uint32_t pass_undisputed(const LaunchState& state, const kernel::LaneAccess& access,
                                  const MemoryObject& object, uint32_t lanes, const Turn& turn);
  // Whether what left the word `before` is over for the thread: a write, or only reads.
  bool is_write_over(const LaunchState& state, uint64_t before, const Self& self) const;
  bool are_reads_over(const LaunchState& state, uint64_t before, const Self& self) const;
  bool is_ordered(const LaunchState& state, const GroupAccesses& accesses) const;
  void read(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
            const Self& self);
  void write(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
             const Self& self);
  bool have_others_read(const LaunchState& state, const RaceCell& cell, const Self& self) const;
  bool write_atomic(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
                    const Self& self);
  static bool has_start(const RaceCell& cell, const Self& self, uint64_t start);
  bool is_start_disputed(const LaunchState& state, const RaceCell& cell, const Self& self,
                         uint64_t start) const;
  static bool depends_on_start(const LaunchState& state, const kernel::LaneAccess& access,
                               const Self& self);
  uint64_t find_start(const LaunchState& state, const kernel::LaneAccess& access,
                      const Place& place, const Self& self) const;
  void report(LaunchState& state, const kernel::LaneAccess& access, const Place& place,
              uint64_t other, uint16_t other_site, bool other_is_write) const;
  void note_atomic(const LaunchState& state, const kernel::LaneAccess& access, bool is_threadgroup,
                   uint32_t lanes);
  void begin_moment();

  // Per site: what a barrier there does to clocks.
  std::vector<ThreadClock::Tick> ticks_;
  // Per threadgroup: what it wrote in moments (see GroupFences) before this one is published for
  // others (by a fence or device barrier, then an atomic in device memory).
  std::vector<uint8_t> published_;
  // Of the threadgroup that runs.
  uint8_t moment_ = 0;
  uint8_t fenced_ = 0;            // what was written before this moment is fenced for others
  uint32_t publications_ = 0;     // atomics that may tell others
  bool has_written_ = false;      // since the last fence
  bool has_released_ = false;     // fenced for other threadgroups
  bool has_done_atomic_ = false;  // in device memory
  bool has_acquired_ = false;     // the same, then fenced
  GroupFences fences_;
  uint64_t writes_ = 0;  // accesses that write memory whose races are watched
};

}  // namespace assay::sanitizer
