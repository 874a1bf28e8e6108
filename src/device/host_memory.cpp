// Small blocks share pages, large ones have their own: those cost nothing until they are touched,
// arrive zeroed and can use huge pages.
#include "device/host_memory.h"

#include <sys/mman.h>

#include "device/guarded_pages.h"

namespace assay::device {

MemoryBlock HostMemory::allocate(uint64_t bytes) {
  if (bytes < SlabMemory::kMaxBytes) return {small_.allocate(bytes), bytes, false};
  std::byte* data = map_guarded(bytes);
  if (data != nullptr) madvise(data, bytes, MADV_HUGEPAGE);
  return {data, bytes, true};
}

void HostMemory::release(const MemoryBlock& block) {
  if (block.bytes < SlabMemory::kMaxBytes) {
    small_.release(block.data, block.bytes);
  } else {
    unmap_guarded(block.data, block.bytes);
  }
}

}  // namespace assay::device
