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

// Used by one host thread. Moments are how often the threadgroup has published anything, up to
// kLastMoment.
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
  void on_fence(const LaunchState& state, const kernel::LaneEvent& event,
                const kernel::CheckSite& fence);
  // At `moment`, which counts this atomic if it publishes.
  void on_atomic(const LaunchState& state, uint32_t first_thread, uint32_t lanes, bool writes,
                 uint8_t moment);
  bool are_ordered(const LaunchState& state, const GroupAccesses& accesses) const;

 private:
  // What a thread has done for one of the two memories.
  struct Side {
    bool has_fenced = false;
    uint8_t acquired = 0;   // moment of the last atomic before its last fence
    uint16_t released = 0;  // a bit for each moment of its atomics behind a fence
    ThreadClock acquired_at = {};
    ThreadClock released_at = {};
  };
  struct Thread {
    uint8_t seen = 0;                // moment of its last atomic
    std::array<Side, 2> sides = {};  // device, threadgroup
  };

  uint8_t last_seen(uint32_t first_thread) const;
  // The moments at which somebody published what `before` left, as bits.
  uint32_t find_releases(const LaunchState& state, const GroupAccesses& accesses) const;
  bool has_acquired(const GroupAccesses& accesses, uint8_t moment) const;

  std::array<Thread, kernel::kMaxThreadsPerThreadgroup> threads_ = {};
  uint32_t used_ = 0;  // threads behind these have done nothing
  bool has_released_ = false;
};

}  // namespace assay::sanitizer
