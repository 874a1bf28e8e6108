// The order that threads of one threadgroup make without barriers: one writes, fences and does an
// atomic; the other does an atomic, fences and reads. Threads run one after the other while they
// are checked, so whoever comes later may have seen what was published before.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "kernel/cpu_abi.h"
#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// Two accesses of one element by threads of a threadgroup, as CellWords.
struct GroupAccesses {
  Order order = Order::kExecution;  // whose barriers the words count
  bool is_threadgroup = false;      // the memory of the element
  uint64_t before = 0;
  uint64_t now = 0;
};

// Used by one host thread. Moments count the fences of the threadgroup that have something new
// behind them, up to kLastMoment, which never ends; publications the atomics that may tell others.
class GroupFences {
 public:
  static constexpr uint8_t kLastMoment = 15;

  void begin_group() {
    std::fill_n(threads_.begin(), used_, Thread());
    used_ = 0;
    has_released_ = false;
  }
  // Whether an atomic that writes publishes anything, as far as is known of all threads together.
  bool has_released() const { return has_released_; }
  // `moment` is the one that begins with it.
  void on_fence(const LaunchState& state, const kernel::LaneEvent& event,
                const kernel::CheckSite& fence, uint8_t moment);
  // `publication` counts this atomic if it may be one.
  void on_atomic(const LaunchState& state, uint32_t first_thread, uint32_t lanes, bool writes,
                 uint32_t publication);
  bool are_ordered(const LaunchState& state, const GroupAccesses& accesses) const;

 private:
  // What a thread has done for one of the two memories.
  struct Side {
    uint8_t fenced = 0;     // what was written in moments before this one is behind its fence
    uint8_t published = 0;  // and in those before this one behind one of its atomics, too
    uint32_t acquired = 0;  // the last publication it may have seen before its last fence
    std::array<uint32_t, kLastMoment + 1> publications = {};  // for each moment; 0: none
    ThreadClock acquired_at = {};
    ThreadClock released_at = {};
  };
  struct Thread {
    uint32_t seen = 0;               // publications when it did its last atomic
    std::array<Side, 2> sides = {};  // device, threadgroup
  };

  uint32_t last_seen(uint32_t first_thread) const;
  // The first one of what `before` left; 0 if there is none.
  uint32_t find_publication(const LaunchState& state, const GroupAccesses& accesses) const;
  bool has_acquired(const GroupAccesses& accesses, uint32_t publication) const;

  std::array<Thread, kernel::kMaxThreadsPerThreadgroup> threads_ = {};
  uint32_t used_ = 0;  // threads behind these have done nothing
  bool has_released_ = false;
};

}  // namespace assay::sanitizer
