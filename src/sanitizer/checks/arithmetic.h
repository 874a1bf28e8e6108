// Numbers that go wrong: divisions by 0, shifts, indices, NaN and infinity.
#pragma once

#include <array>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class ArithmeticCheck {
 public:
  ArithmeticCheck() { forget_made(); }
  void begin_group();
  // `values`: the first operand of every lane, then the second of every lane.
  void on_condition(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

 private:
  using SiteOfThread = std::array<uint32_t, kernel::kMaxThreadsPerThreadgroup>;

  void forget_made();
  void on_made(const kernel::LaneEvent& event, const uint64_t* values);
  void on_store(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  void on_thread_array(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

  // Per thread, the operation that first made a NaN or infinity out of finite numbers, and the one
  // that first made a NaN where infinities were among its operands.
  SiteOfThread made_at_;
  SiteOfThread nan_of_infinity_at_;
  bool has_made_ = false;  // any thread of the threadgroup
};

}  // namespace assay::sanitizer
