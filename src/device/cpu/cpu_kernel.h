// A kernel in this process: its entry point and what keeps its code mapped.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
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
  // `code` and `image` are null for functions that are part of this program.
  CpuKernel(std::shared_ptr<DeviceState> device, kernel::KernelInfo info, KernelEntry entry,
            std::unique_ptr<LinkedObject> code, const kernel::KernelImage* image = nullptr);

  kernel::ExecutionForm form() const { return entry_.form; }
  kernel::PlainEntry plain_entry() const {
    return reinterpret_cast<kernel::PlainEntry>(const_cast<void*>(entry_.address));
  }
  kernel::ResumableEntry resumable_entry() const {
    return reinterpret_cast<kernel::ResumableEntry>(const_cast<void*>(entry_.address));
  }
  // Null for code that is not checked.
  const kernel::CheckTable* checks() const { return checks_.get(); }
  bool prints() const override { return prints_; }
  // Of one thread, a multiple of 64; 0 for plain kernels.
  uint64_t frame_bytes() const { return frame_bytes_; }

  // Stack that one call of the entry can need at most; 0 when that is not known.
  uint64_t stack_bytes() const { return code_ == nullptr ? 0 : code_->stack_bytes(); }

  // Null for code without debug information.
  const DebugObject* debug_object() const {
    return code_ == nullptr ? nullptr : code_->debug_object();
  }

  // Host time per kernel thread in the last launch that ran to its end; nothing before that.
  // Thread-safe; of two launches at once either may count.
  std::optional<double> thread_cost_ns() const {
    const double cost_ns = thread_cost_ns_.load(std::memory_order_relaxed);
    return cost_ns < 0 ? std::nullopt : std::optional(cost_ns);
  }
  void set_cost(uint64_t busy_ns, uint64_t threads) const {
    thread_cost_ns_.store(static_cast<double>(busy_ns) / static_cast<double>(threads),
                          std::memory_order_relaxed);
  }

 private:
  const KernelEntry entry_;
  const std::unique_ptr<LinkedObject> code_;
  const std::shared_ptr<const kernel::CheckTable> checks_;
  const bool prints_;
  uint64_t frame_bytes_ = 0;
  mutable std::atomic<double> thread_cost_ns_ = -1;
};

}  // namespace assay::device::cpu
