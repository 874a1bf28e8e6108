// A kernel compiled for one device: bytes that can be cached, stored in a trace and loaded
// elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernel/checks.h"
#include "kernel/kernel_info.h"
#include "kernel/kernel_origin.h"

namespace assay::kernel {

enum class ImageFormat : uint8_t { kElfObject };

// How a device has to run the entry point (see kernel/cpu_abi.h).
enum class ExecutionForm : uint8_t {
  kPlain,
  kResumable,  // one coroutine per thread
  // One coroutine per simdgroup, or, for kernels in which simdgroups play no part, per 32
  // neighbours along x (the last of a row may be fewer). They only ever wait at threadgroup
  // barriers.
  kResumableSimdgroup,
  kResumableRow,
};

// How the code of a kernel uses the processor; the results are the same.
enum class Executor : uint8_t {
  kReference,  // one thread at a time
  kVector,     // a simdgroup at a time, its lanes in vectors
};

struct KernelImage {
  ImageFormat format = ImageFormat::kElfObject;
  ExecutionForm form = ExecutionForm::kPlain;
  Executor executor = Executor::kReference;
  bool prints = false;          // needs a PrintLog
  std::string fallback_reason;  // why the code is not kVector's although it was asked for
  std::string target_cpu;       // for example "x86-64-v3 +f16c …": what the code may use
  std::string entry_symbol;     // function in `object`
  std::vector<uint8_t>
      object;  // relocatable, position independent, no undefined symbols but libm-free builtins
  KernelInfo info;  // with static_threadgroup_bytes final
  // For tools; not a part of what caches store. Null where nobody knows.
  std::shared_ptr<const KernelOrigin> origin = nullptr;
  // Of code that is watched while it runs; null for ordinary code. Not stored either.
  std::shared_ptr<const CheckTable> checks = nullptr;
};

}  // namespace assay::kernel
