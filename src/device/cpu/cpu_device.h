// The host's processor as a device: runs kernel images that hold code for this machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "device/cpu/cpu_kernel.h"
#include "device/device.h"

namespace assay::device::cpu {

struct CpuOptions {
  // Host threads that run threadgroups, the queue's own thread included; 0 means all cores.
  unsigned threads = 0;
  uint64_t max_threadgroup_memory_bytes = 32768;
  // Memory of freed buffers that is kept for reuse; a quarter of the machine's unless told.
  std::optional<uint64_t> max_cached_bytes = {};
  // A dispatch that runs longer is stopped and fails; 0 for no limit. As long as the longest that
  // drivers of GPUs give compute work.
  std::chrono::nanoseconds kernel_time_limit = std::chrono::seconds(60);
  // Fills threadgroup memory with 0xA5 before each group.
  bool poison_threadgroup_memory = false;
};

class CpuDevice : public Device {
 public:
  static Result<std::shared_ptr<CpuDevice>> create(const CpuOptions& options = {});

  DeviceKind kind() const override { return DeviceKind::kCpu; }
  Result<std::shared_ptr<LoadedKernel>> load(const kernel::KernelImage& image) override;
  Result<std::unique_ptr<Queue>> create_queue(std::string label = {}) override;

  // A kernel that is a function of this program (see kernel/cpu_abi.h): for tests of queues and
  // executors without a compiler.
  Result<std::shared_ptr<LoadedKernel>> load_function(kernel::KernelInfo info, KernelEntry entry);

 private:
  class Runner;
  CpuDevice(std::shared_ptr<DeviceState> state, std::shared_ptr<Runner> runner);

  const std::shared_ptr<Runner> runner_;
};

}  // namespace assay::device::cpu
