// The error text of a launch that a kernel's fault has ended: what happened, where, and what to do.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "device/cpu/kernel_guard.h"
#include "device/cpu/launch.h"

namespace assay::device::cpu {

// A fault with the place in the grid where it happened.
struct GroupFault {
  KernelFault fault;
  std::array<uint32_t, 3> threadgroup = {};  // position in the grid
  // The threads that were running, by their index in the threadgroup; none when not known.
  uint32_t first_thread = 0;
  uint32_t thread_count = 0;
  std::array<uint32_t, 3> first_thread_position = {};  // in the threadgroup
  // The group's arena.
  uintptr_t threadgroup_memory = 0;
};

// `faults` holds at least one, the first one first; several when host threads were stopped
// together.
Error make_fault_error(const Launch& launch, std::span<const GroupFault> faults,
                       uint64_t elapsed_ns);

}  // namespace assay::device::cpu
