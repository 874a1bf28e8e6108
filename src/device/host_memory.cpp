// Small blocks come from the C library, large ones from the kernel: those cost nothing until they
// are touched, arrive zeroed and can use huge pages.
#include "device/host_memory.h"

#include <sys/mman.h>

#include <cstdlib>

namespace assay::device {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kCacheLineBytes = 64;
constexpr uint64_t kMappedFromBytes = uint64_t{1} << 20;
constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;

uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

// Maps one huge page more than asked and gives the surplus back, so that the block starts on a
// huge page; otherwise up to 4 MiB of every block stay on small pages.
std::byte* map_aligned(uint64_t bytes) {
  bytes = round_up(bytes, kPageBytes);
  const uint64_t span = bytes + kHugePageBytes;
  void* mapped = mmap(nullptr, span, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(mapped);
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const uint64_t head = round_up(address, kHugePageBytes) - address;
  if (head != 0) munmap(begin, head);
  munmap(begin + head + bytes, span - head - bytes);
  madvise(begin + head, bytes, MADV_HUGEPAGE);
  return begin + head;
}

}  // namespace

MemoryBlock HostMemory::allocate(uint64_t bytes) {
  if (bytes >= kMappedFromBytes) return {map_aligned(bytes), bytes, true};
  const uint64_t alignment = bytes < kPageBytes ? kCacheLineBytes : kPageBytes;
  void* data = std::aligned_alloc(alignment, round_up(bytes, alignment));
  return {static_cast<std::byte*>(data), bytes, false};
}

void HostMemory::release(const MemoryBlock& block) {
  if (block.bytes >= kMappedFromBytes) {
    munmap(block.data, round_up(block.bytes, kPageBytes));
  } else {
    std::free(block.data);
  }
}

}  // namespace assay::device
