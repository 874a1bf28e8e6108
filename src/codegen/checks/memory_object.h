// What a pointer of a kernel points into, as far as the code shows.
#pragma once

#include <optional>

#include "codegen/kernel_build.h"
#include "kernel/checks.h"

namespace assay::codegen {

struct MemoryObject {
  kernel::SiteMemory memory = kernel::SiteMemory::kUnknown;
  uint32_t slot = 0;             // of arguments
  llvm::Value* start = nullptr;  // null where unknown
  uint64_t bytes = 0;            // of variables
  std::string name = {};
  kernel::SitePlace declared = {};  // of threadgroup variables
  // One value for all threads, which validation looks at before the launch.
  bool is_reference = false;
};

// Of the kernel's own function, after everything is inlined and before threadgroup memory gets its
// place. Several variables of a thread are one without a start, of their size if they share one.
MemoryObject find_object(const KernelBuild& build, llvm::Value* pointer);

}  // namespace assay::codegen
