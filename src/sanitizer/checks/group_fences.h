// The order that threads of one threadgroup make without barriers: one writes, fences and does an
// atomic; the other does an atomic, fences and reads. Threads run one after the other while they
// are checked, so whoever comes later may have seen what was published before.
#pragma once

#include <array>
#include <cstdint>

#include "kernel/cpu_abi.h"
#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// Used by one host thread. Moments are how often the threadgroup has published anything.
class GroupFences {
 public:
  void begin_group() {
    if (is_used_) threads_.fill({});
    is_used_ = false;
  }
  void on_fence(uint32_t first_thread, uint32_t lanes) {
    is_used_ = true;
    for_each_lane(lanes, [&](uint32_t lane) {
      Thread& thread = threads_[first_thread + lane];
      thread.has_fenced = true;
      thread.acquired = thread.seen;
    });
  }
  // At `moment`, which counts this atomic if it publishes.
  void on_atomic(uint32_t first_thread, uint32_t lanes, bool writes, uint8_t moment) {
    if (!is_used_) return;
    for_each_lane(lanes, [&](uint32_t lane) {
      Thread& thread = threads_[first_thread + lane];
      if (writes && thread.has_fenced) thread.released = moment;
      thread.seen = moment;
    });
  }
  // Whether `me` comes after what `other` did at the moment `then`. Moments end at `last`.
  bool are_ordered(uint32_t other, uint8_t then, uint32_t me, uint8_t last) const {
    const uint8_t released = threads_[other].released;
    if (released == 0 || threads_[me].acquired < released) return false;
    return released > then || then == last;
  }

 private:
  struct Thread {
    bool has_fenced = false;
    uint8_t released = 0;  // moment of its last atomic behind a fence; 0 for none
    uint8_t seen = 0;      // moment of its last atomic
    uint8_t acquired = 0;  // the same, when it last fenced
  };
  std::array<Thread, kernel::kMaxThreadsPerThreadgroup> threads_ = {};
  bool is_used_ = false;
};

}  // namespace assay::sanitizer
