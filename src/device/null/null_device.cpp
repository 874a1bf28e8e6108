// Records dispatches and injects faults.
#include "device/null/null_device.h"

#include <fmt/format.h>

#include <mutex>
#include <string_view>
#include <utility>

#include "device/command_runner.h"
#include "device/describe.h"
#include "device/host_memory.h"
#include "device/serial_queue.h"

namespace assay::device::null {

// Shared by the device and its queues.
class NullDevice::Recorder : public DispatchRunner {
 public:
  Result<void> run(const DispatchCommand& command, const CommandPosition& position) override;
  Result<void> run(const MatrixProductCommand&) override { return {}; }
  bool moves_data() const override { return false; }

  Result<void> count_allocation() { return count("allocation", &Faults::failing_allocation); }
  Result<void> count_load() { return count("load", &Faults::failing_load); }
  Result<void> count_queue() { return count("queue", &Faults::failing_queue); }
  void set_faults(const Faults& faults);
  std::vector<RecordedDispatch> dispatches() const;

 private:
  // The n-th call for one kind fails when that kind's fault is n.
  Result<void> count(std::string_view what, uint64_t Faults::* kind);

  mutable std::mutex mutex_;
  Faults faults_;
  Faults counts_;
  std::vector<RecordedDispatch> dispatches_;
};

Result<void> NullDevice::Recorder::count(std::string_view what, uint64_t Faults::* kind) {
  const std::lock_guard lock(mutex_);
  if (++(counts_.*kind) != faults_.*kind) return {};
  return Error{fmt::format("[null device] {} {} fails as requested", what, faults_.*kind)};
}

Result<void> NullDevice::Recorder::run(const DispatchCommand& command,
                                       const CommandPosition& position) {
  if (Result<void> allowed = count("launch", &Faults::failing_launch); !allowed) return allowed;
  const kernel::CommandDescription seen = describe(command, position);
  RecordedDispatch dispatch{.queue_id = seen.queue_id,
                            .command_buffer_id = seen.command_buffer_id,
                            .index = seen.index,
                            .kernel = seen.kernel->name,
                            .label = std::string(seen.label),
                            .origin = std::string(seen.origin),
                            .size = seen.size,
                            .bindings = describe_bindings(command)};
  for (kernel::BindingDescription& binding : dispatch.bindings) {
    binding.data = nullptr;
    binding.buffer = {};
    binding.buffer_label = {};
  }
  const std::lock_guard lock(mutex_);
  dispatches_.push_back(std::move(dispatch));
  return {};
}

void NullDevice::Recorder::set_faults(const Faults& faults) {
  const std::lock_guard lock(mutex_);
  faults_ = faults;
  counts_ = {};
}

std::vector<RecordedDispatch> NullDevice::Recorder::dispatches() const {
  const std::lock_guard lock(mutex_);
  return dispatches_;
}

NullDevice::NullDevice(const NullOptions& options)
    : Device(std::make_shared<DeviceState>(
          "null", options.limits, std::make_unique<HostMemory>(),
          PoolLimits{options.limits.total_memory_bytes, options.max_cached_bytes})),
      recorder_(std::make_shared<Recorder>()) {
  recorder_->set_faults(options.faults);
}

std::shared_ptr<NullDevice> NullDevice::create(const NullOptions& options) {
  return std::shared_ptr<NullDevice>(new NullDevice(options));
}

Result<std::shared_ptr<LoadedKernel>> NullDevice::load(const kernel::KernelImage& image) {
  if (Result<void> allowed = recorder_->count_load(); !allowed) return allowed.error();
  auto loaded = std::make_shared<LoadedKernel>(state(), image.info, image.origin);
  notify_loaded(*loaded, &image);
  return loaded;
}

Result<std::unique_ptr<Queue>> NullDevice::create_queue(std::string label) {
  if (Result<void> allowed = recorder_->count_queue(); !allowed) return allowed.error();
  return SerialQueue::create(state(), recorder_, std::move(label));
}

Result<void> NullDevice::before_allocate(uint64_t /*bytes*/) {
  return recorder_->count_allocation();
}

std::vector<RecordedDispatch> NullDevice::dispatches() const { return recorder_->dispatches(); }

void NullDevice::set_faults(const Faults& faults) { recorder_->set_faults(faults); }

}  // namespace assay::device::null
