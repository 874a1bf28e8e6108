// Runs the compiler so that no source can take the process down: with a large stack, with crashes
// contained, and with a last stop for work that no longer looks at its limits.
#pragma once

#include <cstdint>
#include <functional>

namespace assay::msl {

enum class GuardedOutcome { kFinished, kCrashed, kOutOfTime, kStuck, kOutOfMemory };

struct GuardedLimits {
  double seconds = 0;         // kOutOfTime: of processor time; kStuck: without using any
  uint64_t memory_bytes = 0;  // growth of the process
};

// Blocks until `work` is over. When it is stopped from outside, what it had allocated stays
// allocated: the limits here lie well above those that the work watches itself.
GuardedOutcome run_guarded(const std::function<void()>& work, const GuardedLimits& limits);

// Bytes of memory in use by this process; 0 where the system does not tell.
uint64_t resident_bytes();

}  // namespace assay::msl
