// What only the IR tells about a kernel: threadgroup memory of everything it calls, the function
// constants it depends on, and whether it reads or writes each buffer.
#pragma once

#include <vector>

#include "kernel/kernel_info.h"

namespace llvm {
class Module;
}

namespace assay::msl {

// Removes what carried MSL's attributes through clang; it would keep parameters in memory.
void strip_annotations(llvm::Module& module);

// `analyse_access` simplifies a copy of the module first, which costs time on large libraries.
void add_ir_facts(const llvm::Module& module, bool analyse_access,
                  const std::vector<kernel::FunctionConstant>& constants,
                  std::vector<kernel::KernelInfo>& kernels);

}  // namespace assay::msl
