// Checks a dispatch before it runs. Every message names the kernel, the argument and the way out.
#pragma once

#include "base/result.h"
#include "device/bindings.h"
#include "device/command.h"
#include "device/loaded_kernel.h"
#include "kernel/description.h"

namespace assay::device {

Result<void> validate_dispatch(const LoadedKernel& kernel, const Bindings& bindings,
                               const kernel::LaunchSize& size);

// [offset, offset + bytes) must lie inside the buffer. `action` opens the message, as in "[fill]".
Result<void> validate_range(std::string_view action, const Buffer* buffer, uint64_t offset,
                            uint64_t bytes);

// Sizes must make sense and every matrix lie inside its buffer.
Result<void> validate_matrix_product(const MatrixProductCommand& command);

}  // namespace assay::device
