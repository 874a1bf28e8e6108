// A growing block of guarded memory, aligned for every threadgroup variable, whose contents nobody
// needs to keep. What kernels write far behind its end is a fault at once, within kernel_guard.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace assay::device::cpu {

class AlignedMemory {
 public:
  AlignedMemory() = default;
  ~AlignedMemory() { release(); }
  AlignedMemory(const AlignedMemory&) = delete;
  AlignedMemory& operator=(const AlignedMemory&) = delete;

  // `bytes`, rounded up to the alignment, with undefined contents; null when there is no memory.
  // The block of an earlier call may move.
  uint8_t* reserve(uint64_t bytes);

  static constexpr uint64_t kAlignment = 256;

 private:
  void release();

  std::byte* pages_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace assay::device::cpu
