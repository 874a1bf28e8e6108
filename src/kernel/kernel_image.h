// A kernel compiled for one device: bytes that can be cached, stored in a trace and loaded
// elsewhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/kernel_info.h"

namespace assay::kernel {

enum class ImageFormat : uint8_t { kElfObject };

// How a device has to run the entry point (see kernel/cpu_abi.h).
enum class ExecutionForm : uint8_t { kPlain, kResumable };

struct KernelImage {
  ImageFormat format = ImageFormat::kElfObject;
  ExecutionForm form = ExecutionForm::kPlain;
  std::string target_cpu;    // for example "x86-64-v3 +f16c …": what the code may use
  std::string entry_symbol;  // function in `object`
  std::vector<uint8_t>
      object;  // relocatable, position independent, no undefined symbols but libm-free builtins
  KernelInfo info;  // with static_threadgroup_bytes final
};

}  // namespace assay::kernel
