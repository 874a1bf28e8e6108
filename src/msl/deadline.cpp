// See deadline.h.
#include "msl/deadline.h"

#include <fmt/format.h>

#include "msl/guarded_run.h"

namespace assay::msl {
Deadline::Deadline(double seconds, uint64_t memory_bytes)
    : end_(base::ThreadCpuClock::after(seconds)),
      seconds_(seconds),
      memory_bytes_(memory_bytes),
      memory_at_start_(resident_bytes()) {}

const std::string& Deadline::poll() {
  if (!exceeded_.empty()) return exceeded_;
  uint64_t poll = polls_++;
  if (poll % 64 == 0 && base::ThreadCpuClock::now() > end_) {
    exceeded_ =
        fmt::format("compilation took more processor time than the limit of {} s", seconds_);
  } else if (poll % 4096 == 4095 && resident_bytes() > memory_at_start_ + memory_bytes_) {
    exceeded_ =
        fmt::format("compilation took more memory than the limit of {} MiB", memory_bytes_ >> 20);
  }
  return exceeded_;
}

}  // namespace assay::msl
