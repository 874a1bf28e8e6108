// Every thread of a threadgroup must come to the same barriers.
#pragma once

#include <array>
#include <optional>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class BarrierCheck {
 public:
  void begin_group();
  void on_barrier(LaunchState& state, const kernel::LaneEvent& event);
  // The number of barriers up to which all threads were together, if they parted then: nothing that
  // happened in the group since has an order.
  std::optional<uint32_t> end_group(LaunchState& state);

 private:
  bool pass_together(const kernel::LaneEvent& event);
  void note_first(uint32_t number, uint32_t site, uint32_t thread);

  // Barriers that are compared one by one; behind these only their number is.
  static constexpr uint32_t kRemembered = 1024;

  std::array<uint32_t, kernel::kMaxThreadsPerThreadgroup> passed_ = {};
  std::array<uint32_t, kRemembered> sites_ = {};  // where the first thread met it
  std::array<uint32_t, kRemembered> first_ = {};  // and who that was
  uint32_t most_ = 0;
  std::optional<uint32_t> parted_after_;
};

}  // namespace assay::sanitizer
