// Asks a resumable kernel once for the size of its frames.
#include "device/cpu/cpu_kernel.h"

namespace assay::device::cpu {

CpuKernel::CpuKernel(std::shared_ptr<DeviceState> device, kernel::KernelInfo info,
                     KernelEntry entry, std::unique_ptr<LinkedObject> code,
                     std::shared_ptr<const kernel::KernelOrigin> origin,
                     std::shared_ptr<const kernel::CheckTable> checks)
    : LoadedKernel(std::move(device), std::move(info), std::move(origin)),
      entry_(entry),
      code_(std::move(code)),
      checks_(std::move(checks)) {
  if (entry_.form == kernel::ExecutionForm::kPlain) return;
  constexpr uint64_t kAlignment = 64;
  const kernel::GroupContext context;
  kernel::ThreadState state = {};
  const uint64_t bytes = resumable_entry()(&context, &state, nullptr);
  frame_bytes_ = (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

}  // namespace assay::device::cpu
