// Addresses are chosen one behind the other from a part of the address space that programs,
// libraries and stacks leave empty: whatever a kernel's index is, it hardly reaches them from
// there.
#include "device/guarded_pages.h"

#include <sys/mman.h>

#include <atomic>

namespace assay::device {
namespace {

constexpr uint64_t kPageBytes = 4096;
constexpr uint64_t kHugePageBytes = uint64_t{2} << 20;
constexpr uint64_t kGuardBytes = uint64_t{64} << 10;

// Above what sanitizers use, below where systems load programs. Where these addresses do not exist
// or are taken, the system chooses others.
constexpr uintptr_t kFirstAddress = uintptr_t{0x20} << 40;
constexpr uintptr_t kLastAddress = uintptr_t{0x50} << 40;
constinit std::atomic<uintptr_t> g_next_address = kFirstAddress;

uint64_t round_up(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

uintptr_t choose_address(uint64_t span) {
  const uint64_t room = round_up(span, kHugePageBytes);
  const uintptr_t address = g_next_address.fetch_add(room, std::memory_order_relaxed);
  if (room < kLastAddress - kFirstAddress && address <= kLastAddress - room) return address;
  g_next_address.store(kFirstAddress, std::memory_order_relaxed);
  return kFirstAddress;
}

std::byte* reserve(uintptr_t address, uint64_t bytes) {
  // A wish: without MAP_FIXED nothing that is there already gets lost.
  void* wish = reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
  void* mapped = mmap(wish, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<std::byte*>(mapped);
}

// Reserves more than asked and gives the surplus back.
std::byte* reserve_anywhere(uint64_t bytes) {
  const uint64_t span = bytes + kHugePageBytes + 2 * kGuardBytes;
  std::byte* begin = reserve(0, span);
  if (begin == nullptr) return nullptr;
  const auto address = reinterpret_cast<uintptr_t>(begin);
  const uint64_t head = round_up(address + kGuardBytes, kHugePageBytes) - address;
  const uint64_t end = head + bytes + kGuardBytes;
  if (head != kGuardBytes) munmap(begin, head - kGuardBytes);
  if (end != span) munmap(begin + end, span - end);
  return begin + head;
}

// Without the huge page at the start, up to 4 MiB of every block would stay on small pages.
std::byte* reserve_aligned(uint64_t bytes) {
  const uint64_t span = bytes + 2 * kGuardBytes;
  const uintptr_t wish = choose_address(span + kHugePageBytes) + kHugePageBytes - kGuardBytes;
  std::byte* begin = reserve(wish, span);
  if (begin == nullptr) return nullptr;
  if (reinterpret_cast<uintptr_t>(begin) == wish) return begin + kGuardBytes;
  munmap(begin, span);
  return reserve_anywhere(bytes);
}

}  // namespace

std::byte* map_guarded(uint64_t bytes) {
  const uint64_t rounded = round_up(bytes, kPageBytes);
  std::byte* data = reserve_aligned(rounded);
  if (data == nullptr) return nullptr;
  if (mprotect(data, rounded, PROT_READ | PROT_WRITE) != 0) {
    unmap_guarded(data, bytes);
    return nullptr;
  }
  return data;
}

void unmap_guarded(std::byte* data, uint64_t bytes) {
  munmap(data - kGuardBytes, round_up(bytes, kPageBytes) + 2 * kGuardBytes);
}

}  // namespace assay::device
