// A device that checks and records everything and executes nothing: for tests of the layers above,
// with failures on request.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"

namespace assay::device::null {

// Failures count from 1 and happen once; 0 means never.
struct Faults {
  uint64_t failing_allocation = 0;
  uint64_t failing_launch = 0;
  uint64_t failing_load = 0;
  uint64_t failing_queue = 0;
};

struct NullOptions {
  DeviceLimits limits{.max_buffer_bytes = uint64_t{1} << 40,
                      .total_memory_bytes = uint64_t{1} << 40,
                      .recommended_working_set_bytes = uint64_t{1} << 39};
  uint64_t max_cached_bytes = uint64_t{64} << 20;
  Faults faults;
};

struct RecordedDispatch {
  uint64_t queue_id = 0;
  uint64_t command_buffer_id = 0;
  uint32_t index = 0;
  std::string kernel;
  std::string label;
  std::string origin;
  kernel::LaunchSize size;
  // Without pointers and labels: what they pointed to may be gone.
  std::vector<kernel::BindingDescription> bindings;
};

class NullDevice : public Device {
 public:
  static std::shared_ptr<NullDevice> create(const NullOptions& options = {});

  DeviceKind kind() const override { return DeviceKind::kNull; }
  Result<std::shared_ptr<LoadedKernel>> load(const kernel::KernelImage& image) override;
  Result<std::unique_ptr<Queue>> create_queue(std::string label = {}) override;

  // The launches so far that did not fail, in the order they ran.
  std::vector<RecordedDispatch> dispatches() const;
  // Replaces the faults and starts counting again.
  void set_faults(const Faults& faults);

 private:
  class Recorder;
  explicit NullDevice(const NullOptions& options);
  Result<void> before_allocate(uint64_t bytes) override;

  const std::shared_ptr<Recorder> recorder_;
};

}  // namespace assay::device::null
