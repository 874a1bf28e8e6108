// Accesses must stay inside of the object that the code names, at addresses that fit their type.
#pragma once

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// Where the lanes of one access go.
struct ResolvedAccess {
  int object = ObjectTable::kNone;  // of all lanes; kNone when they differ or nobody knows
  uint32_t inside = 0;              // lanes that may go on
};

// Reports lanes outside. An access to memory that nobody described goes on unwatched.
ResolvedAccess check_bounds(LaunchState& state, const kernel::LaneAccess& access);
void check_alignment(LaunchState& state, const kernel::LaneAccess& access, uint32_t lanes);

}  // namespace assay::sanitizer
