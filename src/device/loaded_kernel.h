// A kernel that one device can run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "device/device_state.h"
#include "kernel/kernel_info.h"
#include "kernel/kernel_origin.h"

namespace assay::device {

// Made by Device::load; immutable, shared between threads and command buffers.
class LoadedKernel {
 public:
  LoadedKernel(std::shared_ptr<DeviceState> device, kernel::KernelInfo info,
               std::shared_ptr<const kernel::KernelOrigin> origin = nullptr)
      : device_(std::move(device)),
        info_(std::move(info)),
        origin_(std::move(origin)),
        id_(device_->new_id()) {}
  virtual ~LoadedKernel() = default;
  LoadedKernel(const LoadedKernel&) = delete;
  LoadedKernel& operator=(const LoadedKernel&) = delete;

  const kernel::KernelInfo& info() const { return info_; }
  // Null where nobody knows.
  const kernel::KernelOrigin* origin() const { return origin_.get(); }
  uint64_t id() const { return id_; }
  // Whether its launches may have messages to show.
  virtual bool prints() const { return false; }
  const DeviceState* device() const { return device_.get(); }

  uint32_t max_threads_per_threadgroup() const {
    const uint32_t device_max = device_->limits.max_threads_per_threadgroup;
    const uint32_t kernel_max = info_.max_total_threads_per_threadgroup;
    return kernel_max == 0 ? device_max : std::min(kernel_max, device_max);
  }
  uint32_t thread_execution_width() const { return kernel::kSimdgroupWidth; }

 private:
  const std::shared_ptr<DeviceState> device_;
  const kernel::KernelInfo info_;
  const std::shared_ptr<const kernel::KernelOrigin> origin_;
  const uint64_t id_;
};

}  // namespace assay::device
