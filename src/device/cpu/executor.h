// The way a CPU device runs one dispatch. Executors differ in speed, never in results.
#pragma once

#include "base/result.h"
#include "device/bindings.h"
#include "device/cpu/cpu_kernel.h"
#include "kernel/cpu_abi.h"
#include "kernel/dispatch.h"

namespace assay::device::cpu {

struct Launch {
  const CpuKernel& kernel;
  // Complete but for the group's own fields: position, threads per threadgroup, arena.
  kernel::GroupContext context;
  kernel::Size3 threadgroups;
  // Of the arena one threadgroup needs, static and dynamic.
  uint64_t threadgroup_bytes = 0;
  // What the context's buffers are, for messages; null when there is nothing to say.
  const Bindings* bindings = nullptr;

  // Of the whole grid.
  uint64_t thread_count() const {
    const uint32_t* threads = context.threads_per_grid;
    return uint64_t{threads[0]} * threads[1] * threads[2];
  }
};

// Thread-safe: several queues may run launches at once.
class Executor {
 public:
  virtual ~Executor() = default;
  // Returns when all groups are done, or with an error when the kernel crashed or ran too long.
  virtual Result<void> run(const Launch& launch) = 0;
};

}  // namespace assay::device::cpu
