// One dispatch in the form that runs it on the CPU.
#pragma once

#include "base/result.h"
#include "device/bindings.h"
#include "device/cpu/cpu_kernel.h"
#include "device/launch_checks.h"
#include "kernel/cpu_abi.h"
#include "kernel/dispatch.h"

namespace assay::device::cpu {

// Coroutines of a threadgroup with these threads along x, y, z, each with a frame: one per thread,
// simdgroup or row. 0 for a plain kernel.
inline uint32_t frame_count(kernel::ExecutionForm form, const uint32_t* threads) {
  constexpr uint32_t kWidth = kernel::kSimdgroupWidth;
  const uint32_t rows = threads[1] * threads[2];
  switch (form) {
    case kernel::ExecutionForm::kPlain: return 0;
    case kernel::ExecutionForm::kResumable: return threads[0] * rows;
    case kernel::ExecutionForm::kResumableSimdgroup:
      return (threads[0] * rows + kWidth - 1) / kWidth;
    case kernel::ExecutionForm::kResumableRow: return (threads[0] + kWidth - 1) / kWidth * rows;
  }
  return 0;
}

struct Launch {
  const CpuKernel& kernel;
  // Complete but for the group's own fields: position, threads per threadgroup, arena.
  kernel::GroupContext context;
  kernel::Size3 threadgroups;
  // Of the arena one threadgroup needs, static and dynamic.
  uint64_t threadgroup_bytes = 0;
  // What the context's buffers are, for messages; null when there is nothing to say.
  const Bindings* bindings = nullptr;
  // Of a checked kernel.
  LaunchChecks* checks = nullptr;

  // Groups run one after the other on one host thread: what they tell has an order, and somebody
  // who goes through them step by step stays in one.
  bool runs_in_order() const {
    return checks != nullptr || context.printer != nullptr || kernel.debug_object() != nullptr;
  }

  // Of one whole threadgroup.
  uint32_t frames_per_group() const {
    return frame_count(kernel.form(), context.dispatch_threads_per_threadgroup);
  }
  // Of the whole grid.
  uint64_t thread_count() const {
    const uint32_t* threads = context.threads_per_grid;
    return uint64_t{threads[0]} * threads[1] * threads[2];
  }
};

}  // namespace assay::device::cpu
