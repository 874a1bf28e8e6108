// Checks everything that runs on a device: knows its buffers from their allocation on, takes part
// in the launches of checked kernels and hands on what it finds.
#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "device/device.h"
#include "device/launch_checks.h"
#include "sanitizer/checks/ordering.h"
#include "sanitizer/finding.h"
#include "sanitizer/launch_checker.h"
#include "sanitizer/memory_state.h"
#include "sanitizer/rules.h"

namespace assay::sanitizer {

struct CheckOptions {
  CheckSet checks = CheckSet::all();
  // Order in which threadgroups run; 0 for the usual one.
  uint64_t schedule_seed = 0;
  // See LaunchSetup; 0 for most_race_bytes() of the device.
  uint64_t race_bytes = 0;
};

// Thread-safe. Launches of different queues wait for one another: checks keep one state per buffer.
class CheckService final : public device::CheckService, public device::Observer {
 public:
  // Called for every finding, by one thread at a time; `found` must not use the device.
  using Found = std::function<void(Finding)>;

  CheckService(const CheckOptions& options, Found found)
      : options_(options), found_(std::move(found)) {}

  // Makes `device` report to a new service. Before the device is used.
  static std::shared_ptr<CheckService> attach(device::Device& device, const CheckOptions& options,
                                              Found found);

  std::unique_ptr<device::LaunchChecks> begin(const kernel::CommandDescription& command,
                                              const kernel::CheckTable& table) override;

  void on_submit(const kernel::SubmitDescription& submit) override;
  void on_complete(const kernel::SubmitDescription& submit, std::string_view error) override;
  void on_command_begin(const kernel::CommandDescription& command) override;
  void on_allocate(const kernel::BufferDescription& buffer) override;
  void on_free(const kernel::BufferDescription& buffer) override;
  // Copies and fills give memory values, as do matrix products.
  void on_command_end(const kernel::CommandDescription& command, const kernel::DispatchTimes& times,
                      std::string_view error) override;

 private:
  class Turn;

  MemoryState* state_of(const kernel::BindingDescription& binding);
  std::vector<Extent> list_memory();
  void finish(const LaunchChecker& launch);
  void release_race_cells(uint64_t used);
  void mark_written(const kernel::BindingDescription& binding, const uint8_t* source);

  const CheckOptions options_;
  const Found found_;
  std::mutex launches_;  // held from begin() to the end of the launch
  std::mutex mutex_;     // guards what follows
  std::map<uint64_t, std::unique_ptr<MemoryState>> buffers_;
  std::map<uint64_t, uint64_t> memory_;  // address and size of every buffer
  uint64_t command_count_ = 0;
  uint64_t race_bytes_used_ = 0;  // by launches since somebody counted what is held
  OrderingCheck ordering_;
};

}  // namespace assay::sanitizer
