// Numbers that go wrong: divisions by 0, shifts, indices, NaN and infinity.
#pragma once

#include <array>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class ArithmeticCheck {
 public:
  ArithmeticCheck() { made_at_.fill(kNoSite); }
  void begin_group();
  // `values`: the first operand of every lane, then the second of every lane.
  void on_condition(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

 private:
  void on_store(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  void on_thread_array(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

  // Per thread, the operation that first made a NaN or infinity out of finite numbers.
  std::array<uint32_t, kernel::kMaxThreadsPerThreadgroup> made_at_;
  bool has_made_ = false;  // any thread of the threadgroup
};

}  // namespace assay::sanitizer
