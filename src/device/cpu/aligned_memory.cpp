// Blocks end just before the last of their pages does.
#include "device/cpu/aligned_memory.h"

#include "device/guarded_pages.h"

namespace assay::device::cpu {
namespace {

// 16 MiB for each of 1024 threads. The system would promise more, and end the process later.
constexpr uint64_t kMaxBytes = uint64_t{1} << 34;
constexpr uint64_t kPageBytes = 4096;
// Between a block and the pages behind it: a row of 32 lanes of up to 8 bytes may reach so far with
// lanes that are not active, and processors take hundreds of cycles to find out that nothing of it
// was asked for.
constexpr uint64_t kRowBytes = 256;

uint64_t round_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

uint8_t* AlignedMemory::reserve(uint64_t bytes) {
  if (bytes > kMaxBytes) return nullptr;
  const uint64_t needed = round_up(bytes, kAlignment) + kRowBytes;
  if (needed > bytes_) {
    release();
    pages_ = map_guarded(round_up(needed, kPageBytes));
    if (pages_ == nullptr) return nullptr;
    bytes_ = round_up(needed, kPageBytes);
  }
  // At the end, where more kernels go astray than at the begin.
  return reinterpret_cast<uint8_t*>(pages_ + bytes_ - needed);
}

void AlignedMemory::release() {
  if (pages_ != nullptr) unmap_guarded(pages_, bytes_);
  pages_ = nullptr;
  bytes_ = 0;
}

}  // namespace assay::device::cpu
