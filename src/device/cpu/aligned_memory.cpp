// Blocks end where their pages do.
#include "device/cpu/aligned_memory.h"

#include "device/guarded_pages.h"

namespace assay::device::cpu {
namespace {

// 16 MiB for each of 1024 threads. The system would promise more, and end the process later.
constexpr uint64_t kMaxBytes = uint64_t{1} << 34;
constexpr uint64_t kPageBytes = 4096;

uint64_t round_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

uint8_t* AlignedMemory::reserve(uint64_t bytes) {
  if (bytes > kMaxBytes) return nullptr;
  if (bytes > bytes_) {
    release();
    pages_ = map_guarded(round_up(bytes, kPageBytes));
    if (pages_ == nullptr) return nullptr;
    bytes_ = round_up(bytes, kPageBytes);
  }
  if (pages_ == nullptr) return nullptr;
  // At the end, where more kernels go astray than at the begin.
  return reinterpret_cast<uint8_t*>(pages_ + bytes_ - round_up(bytes, kAlignment));
}

void AlignedMemory::release() {
  if (pages_ != nullptr) unmap_guarded(pages_, bytes_);
  pages_ = nullptr;
  bytes_ = 0;
}

}  // namespace assay::device::cpu
