// Memory of this process for devices that compute on the host.
#pragma once

#include "device/memory_source.h"
#include "device/slab_memory.h"

namespace assay::device {

class HostMemory : public MemorySource {
 public:
  MemoryBlock allocate(uint64_t bytes) override;
  void release(const MemoryBlock& block) override;

 private:
  SlabMemory small_;
};

}  // namespace assay::device
