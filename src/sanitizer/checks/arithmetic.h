// Conditions that code reports by itself: divisions by 0, shifts, indices and variables without a
// value. NaN and infinity are not_finite.h's.
#pragma once

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// `values`: the first operand of every lane, then the second of every lane.
void check_condition(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

}  // namespace assay::sanitizer
