// Thread attributes at program scope: `uint3 gid [[thread_position_in_grid]];` is a variable that
// each thread of each kernel finds set. In the IR it becomes a parameter of the kernels that use
// it, like an attribute that was written there, and of the functions between.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel_info.h"

namespace llvm {
class Module;
}

namespace assay::msl {

struct ThreadVariable {
  std::string symbol;  // external global of the IR
  kernel::Argument argument;
};

// Gives kernels in `module` and in `kernels` the parameters, behind those they have. Returns the
// names of functions that use such a variable but are also called through pointers, which cannot
// be.
std::vector<std::string> pass_thread_variables(llvm::Module& module,
                                               const std::vector<ThreadVariable>& variables,
                                               std::vector<kernel::KernelInfo>& kernels);

}  // namespace assay::msl
