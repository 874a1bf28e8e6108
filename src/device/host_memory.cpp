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
constexpr uint64_t kGuardBytes = uint64_t{64} << 10;

uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

void unmap(std::byte* data, uint64_t bytes) {
  munmap(data - kGuardBytes, round_up(bytes, kPageBytes) + 2 * kGuardBytes);
}

// Maps more than asked and gives the surplus back, so that the block starts on a huge page;
// otherwise up to 4 MiB of every block stay on small pages. Pages that nobody may touch stay on
// both sides: a kernel that runs over the end of a buffer is caught instead of changing another
// one.
std::byte* map_aligned(uint64_t bytes) {
  bytes = round_up(bytes, kPageBytes);
  const uint64_t span = bytes + kHugePageBytes + 2 * kGuardBytes;
  void* mapped = mmap(nullptr, span, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  auto* begin = static_cast<std::byte*>(mapped);
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const uint64_t head = round_up(address + kGuardBytes, kHugePageBytes) - address;
  const uint64_t end = head + bytes + kGuardBytes;
  if (head != kGuardBytes) munmap(begin, head - kGuardBytes);
  if (end != span) munmap(begin + end, span - end);
  if (mprotect(begin + head, bytes, PROT_READ | PROT_WRITE) != 0) {
    unmap(begin + head, bytes);
    return nullptr;
  }
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
    unmap(block.data, block.bytes);
  } else {
    std::free(block.data);
  }
}

}  // namespace assay::device
