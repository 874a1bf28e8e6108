// A kernel in this process: its entry point and what keeps its code mapped.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "device/cpu/object_linker.h"
#include "device/loaded_kernel.h"
#include "kernel/cpu_abi.h"
#include "kernel/kernel_image.h"

namespace assay::device::cpu {

// A function that follows kernel/cpu_abi.h.
struct KernelEntry {
  kernel::ExecutionForm form = kernel::ExecutionForm::kPlain;
  const void* address = nullptr;
};

class CpuKernel : public LoadedKernel {
 public:
  // `code` is null for functions that are part of this program.
  CpuKernel(std::shared_ptr<DeviceState> device, kernel::KernelInfo info, KernelEntry entry,
            std::unique_ptr<LinkedObject> code);

  kernel::ExecutionForm form() const { return entry_.form; }
  kernel::PlainEntry plain_entry() const {
    return reinterpret_cast<kernel::PlainEntry>(const_cast<void*>(entry_.address));
  }
  kernel::ResumableEntry resumable_entry() const {
    return reinterpret_cast<kernel::ResumableEntry>(const_cast<void*>(entry_.address));
  }
  // Of one thread, a multiple of 64; 0 for plain kernels.
  uint64_t frame_bytes() const { return frame_bytes_; }

 private:
  const KernelEntry entry_;
  const std::unique_ptr<LinkedObject> code_;
  uint64_t frame_bytes_ = 0;
};

}  // namespace assay::device::cpu
