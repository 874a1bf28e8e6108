// Checks of single commands on a device that is not checked otherwise. Knows of memory only what
// the command says: arrays have values, except for new ones.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "device/launch_checks.h"
#include "sanitizer/finding.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {

// Thread-safe; every launch has a state of its own.
class CallChecks final : public device::CheckService {
 public:
  // Gets what was found in one launch, on the thread of its queue; its error is that of the
  // command.
  using Judge = std::function<Result<void>(std::vector<Finding>)>;

  // `race_bytes`: see LaunchSetup.
  CallChecks(CheckSet checks, uint64_t race_bytes, Judge judge)
      : checks_(checks), race_bytes_(race_bytes), judge_(std::move(judge)) {}

  std::unique_ptr<device::LaunchChecks> begin(const kernel::CommandDescription& command,
                                              const kernel::CheckTable& table) override;

 private:
  class Launch;

  const CheckSet checks_;
  const uint64_t race_bytes_;
  const Judge judge_;
};

}  // namespace assay::sanitizer
