// Every thread of a threadgroup must come to the same barriers.
#pragma once

#include <array>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class BarrierCheck {
 public:
  void begin_group(const LaunchState& state);
  void on_barrier(LaunchState& state, const kernel::LaneEvent& event);
  // True when threads parted: nothing that happened in the group since then has an order.
  bool end_group(LaunchState& state);

 private:
  // Barriers that are compared one by one; behind these only their number is.
  static constexpr uint32_t kRemembered = 1024;

  std::array<uint32_t, kernel::kMaxThreadsPerThreadgroup> passed_ = {};
  std::array<uint32_t, kRemembered> sites_ = {};  // where the first thread met it
  std::array<uint32_t, kRemembered> first_ = {};  // and who that was
  uint32_t most_ = 0;
  bool has_parted_ = false;
};

}  // namespace assay::sanitizer
