// Collects the failures of a launch.
#include "device/cpu/launch_progress.h"

namespace assay::device::cpu {

void LaunchProgress::fail(const Error& error) {
  const std::lock_guard lock(mutex_);
  if (!error_.has_value()) error_ = error;
  failed_.store(true, std::memory_order_relaxed);
}

void LaunchProgress::fail(const GroupFault& fault) {
  const std::lock_guard lock(mutex_);
  faults_.push_back(fault);
  failed_.store(true, std::memory_order_relaxed);
}

Result<void> LaunchProgress::result() const {
  if (!faults_.empty()) return make_fault_error(launch_, faults_, now_ns() - started_ns_);
  if (error_.has_value()) return *error_;
  return {};
}

}  // namespace assay::device::cpu
