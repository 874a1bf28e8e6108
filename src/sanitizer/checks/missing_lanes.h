// Values that shuffles take from lanes that are not there: told where they come from, once
// something that depends on them is stored.
#pragma once

#include <array>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class MissingLaneCheck {
 public:
  void begin_group();
  // `values`: the lane that was asked for.
  void on_taken(const kernel::LaneEvent& event, const uint64_t* values);
  void on_use(LaunchState& state, const kernel::LaneEvent& event);

 private:
  struct Taken {
    uint32_t site = kNoSite;
    uint32_t thread = kNoThread;
    uint64_t lane = 0;
  };
  const Taken* find_taken(uint32_t thread) const;

  // The last one of each thread.
  std::array<Taken, kernel::kMaxThreadsPerThreadgroup> taken_at_;
  bool has_taken_ = false;
};

}  // namespace assay::sanitizer
