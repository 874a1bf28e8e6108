// How somebody who checks kernels takes part in their launches.
#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "kernel/checks.h"
#include "kernel/description.h"

namespace assay::device {

// One launch of a checked kernel, from before its first threadgroup to behind its last.
class LaunchChecks {
 public:
  virtual ~LaunchChecks() = default;
  virtual kernel::GroupChecker& group_checker() = 0;
  // Which threadgroup runs as the number `index`: every one must come once.
  virtual uint64_t group_at(uint64_t index) const = 0;
  // On the thread of the queue, after the last threadgroup. An error is that of the command.
  virtual Result<void> finish() = 0;
};

// Thread-safe: queues launch at the same time.
class CheckService {
 public:
  virtual ~CheckService() = default;
  // The description, with its bindings, is valid until the launch is finished.
  virtual std::unique_ptr<LaunchChecks> begin(const kernel::CommandDescription& command,
                                              const kernel::CheckTable& table) = 0;
};

}  // namespace assay::device
