// Pages from the system, with a forbidden one on either side.
#include "device/cpu/aligned_memory.h"

#include <sys/mman.h>
#include <unistd.h>

namespace assay::device::cpu {
namespace {

// 16 MiB for each of 1024 threads. The system would promise more, and end the process later.
constexpr uint64_t kMaxBytes = uint64_t{1} << 34;

uint64_t page_bytes() {
  static const auto bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

uint64_t round_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

uint8_t* AlignedMemory::reserve(uint64_t bytes) {
  if (bytes > kMaxBytes) return nullptr;
  if (bytes > bytes_) {
    release();
    const uint64_t page = page_bytes();
    const uint64_t size = round_up(bytes, page);
    void* all = mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    pages_ = static_cast<uint8_t*>(all) + page;
    bytes_ = size;
    if (mprotect(pages_, size, PROT_READ | PROT_WRITE) != 0) {
      release();
      return nullptr;
    }
  }
  if (pages_ == nullptr) return nullptr;
  // At the end, where more kernels go astray than at the begin.
  return pages_ + bytes_ - round_up(bytes, kAlignment);
}

void AlignedMemory::release() {
  if (pages_ != nullptr) munmap(pages_ - page_bytes(), bytes_ + 2 * page_bytes());
  pages_ = nullptr;
  bytes_ = 0;
}

}  // namespace assay::device::cpu
