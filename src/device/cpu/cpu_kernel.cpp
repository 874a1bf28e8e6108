// Asks a resumable kernel once for the size of its frames.
#include "device/cpu/cpu_kernel.h"

namespace assay::device::cpu {

CpuKernel::CpuKernel(std::shared_ptr<DeviceState> device, kernel::KernelInfo info,
                     KernelEntry entry, std::unique_ptr<LinkedObject> code,
                     const kernel::KernelImage* image)
    : LoadedKernel(std::move(device), std::move(info), image == nullptr ? nullptr : image->origin),
      entry_(entry),
      code_(std::move(code)),
      checks_(image == nullptr ? nullptr : image->checks),
      prints_(image != nullptr && image->prints) {
  if (entry_.form == kernel::ExecutionForm::kPlain) return;
  constexpr uint64_t kAlignment = 64;
  const kernel::GroupContext context;
  kernel::ThreadState state = {};
  const uint64_t bytes = resumable_entry()(&context, &state, nullptr);
  frame_bytes_ = (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace assay::device::cpu
