// Where a memory pool gets its blocks: the host's memory, or a driver's unified memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::device {

struct MemoryBlock {
  std::byte* data = nullptr;
  uint64_t bytes = 0;
  bool zeroed = false;  // fresh from the system and known to hold zeros
};

// Thread-safe.
class MemorySource {
 public:
  virtual ~MemorySource() = default;

  // A block of exactly `bytes`, which is a multiple of 64 and not 0. Data is null when there is no
  // memory; aligned to a page from one page up, to 64 bytes below.
  virtual MemoryBlock allocate(uint64_t bytes) = 0;
  virtual void release(const MemoryBlock& block) = 0;
};

}  // namespace assay::device
