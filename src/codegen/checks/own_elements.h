// Elements that only one thread of a grid can reach, whatever the other threads do.
#pragma once

#include "codegen/checks/memory_object.h"

namespace assay::codegen {

// Where thread i of a grid with one dimension accesses nothing outside of bytes i * n to
// (i + 1) * n of the argument that `object` is: n. As long as i * n stays below 2^31 for all
// threads. 0 where that is not known.
uint64_t find_own_bytes(const KernelBuild& build, const llvm::Value* pointer,
                        const MemoryObject& object, uint64_t bytes);

}  // namespace assay::codegen
