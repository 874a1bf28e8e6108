// The one clock of all device times.
#pragma once

#include <chrono>
#include <cstdint>

namespace assay::device {

// Nanoseconds of the steady clock: comparable within one process, not across machines.
inline uint64_t now_ns() {
  return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::steady_clock::now().time_since_epoch())
                                   .count());
}

}  // namespace assay::device
