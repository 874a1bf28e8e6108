// Conditions that code reports by itself: divisions by 0, shifts, indices, variables without a
// value, NaN and infinity.
#pragma once

#include <array>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class ArithmeticCheck {
 public:
  void begin_group();
  // `values`: the first operand of every lane, then the second of every lane.
  void on_condition(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

 private:
  struct Made {
    uint32_t site = kNoSite;
    bool is_nan = false;  // or infinity
  };
  using MadeByThread = std::array<Made, kernel::kMaxThreadsPerThreadgroup>;

  void forget_made();
  void on_made(const kernel::LaneEvent& event, const uint64_t* values);
  void on_store(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  void on_thread_array(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

  // Per thread, the operation that first made a NaN or infinity out of finite numbers, and the one
  // that first made a NaN where infinities were among its operands.
  MadeByThread made_at_;
  MadeByThread nan_of_infinity_at_;
  bool has_made_ = false;  // any thread of the threadgroup
};

}  // namespace assay::sanitizer
