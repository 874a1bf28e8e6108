// Reads must find values that somebody wrote.
#pragma once

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// Notes writes, and reports reads where `reports`. All lanes are inside of `object`.
void check_initialised(LaunchState& state, const kernel::LaneAccess& access, int object,
                       uint32_t lanes, bool reports);

// Of threadgroup memory, where structs are copied as a whole: notes where a member without a value
// was stored (kUnsetStore), or returns the lanes that read anything else (kUnsetLoad). Such bytes
// count as written until somebody makes something of them.
uint32_t pass_unset(LaunchState& state, const kernel::LaneAccess& access);

// What new memory holds until somebody writes it.
inline constexpr uint64_t kMemoryPattern = 0xA5C3'5A7E'96E1'D2B4;

// Of memory that was filled with the pattern when it was allocated: 1 where it no longer holds it.
void find_initialised(const std::byte* memory, LargeVector<uint8_t>& initialised);

}  // namespace assay::sanitizer
