// Watches the processor time and memory of one compilation. Polled where clang may run for long.
#pragma once

#include <cstdint>
#include <string>

#include "base/thread_cpu_clock.h"

namespace assay::msl {

// Made and polled by the thread that compiles.
class Deadline {
 public:
  Deadline(double seconds, uint64_t memory_bytes);

  // Empty, or what was exceeded. Cheap: looks at the clock every 64th call, at memory every 4096th.
  const std::string& poll();
  const std::string& exceeded() const { return exceeded_; }

 private:
  base::ThreadCpuClock::time_point end_;
  double seconds_;
  uint64_t memory_bytes_;
  uint64_t memory_at_start_;
  uint64_t polls_ = 0;
  std::string exceeded_;
};

}  // namespace assay::msl
