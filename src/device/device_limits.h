// What a device can do and how much memory it has in use.
#pragma once

#include <cstdint>

#include "kernel/cpu_abi.h"

namespace assay::device {

enum class DeviceKind : uint8_t { kCpu, kCuda, kNull };

// The threadgroup limits are those of Apple's GPUs, so that a kernel that runs here also runs
// there.
struct DeviceLimits {
  uint32_t max_threads_per_threadgroup = kernel::kMaxThreadsPerThreadgroup;
  uint64_t max_threadgroup_memory_bytes = 32768;
  uint64_t max_buffer_bytes = 0;
  uint64_t total_memory_bytes = 0;
  // Up to here the device can work without paging.
  uint64_t recommended_working_set_bytes = 0;
};

struct MemoryStatistics {
  uint64_t active_bytes = 0;  // held by live buffers, size-class rounding included
  uint64_t cached_bytes = 0;  // free, kept for reuse
  uint64_t peak_bytes = 0;    // highest active_bytes so far
};

}  // namespace assay::device
