// The way a CPU device runs one dispatch. Executors differ in speed, never in results.
#pragma once

#include "base/result.h"
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
};

// Thread-safe: several queues may run launches at once.
class Executor {
 public:
  virtual ~Executor() = default;
  // Returns when all groups are done.
  virtual Result<void> run(const Launch& launch) = 0;
};

}  // namespace assay::device::cpu
