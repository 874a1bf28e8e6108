// See slab_memory.h.
#include "device/slab_memory.h"

#include <sys/mman.h>

#include "device/guarded_pages.h"

namespace assay::device {
namespace {

constexpr uint64_t kPageBytes = 4096;
// A huge page, on which guarded pages start: the slab of a block follows from its address.
constexpr uint64_t kSlabBytes = uint64_t{2} << 20;
// Free slots of this size give their pages back to the system.
constexpr uint64_t kReturnedFromBytes = uint64_t{128} << 10;

uint64_t slot_size(uint64_t bytes) {
  return bytes < kPageBytes ? bytes : (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

std::byte* slab_start(std::byte* data) {
  return data - reinterpret_cast<uintptr_t>(data) % kSlabBytes;
}

}  // namespace

SlabMemory::~SlabMemory() {
  for (const auto& [data, slab] : slabs_) unmap_guarded(data, kSlabBytes);
}

SlabMemory::Slab* SlabMemory::add_slab(uint64_t slot_bytes) {
  std::byte* data = map_guarded(kSlabBytes);
  if (data == nullptr) return nullptr;
  Slab& slab = slabs_[data];
  slab.data = data;
  slab.slots = static_cast<uint32_t>(kSlabBytes / slot_bytes);
  return &slab;
}

void SlabMemory::remove_slab(Slab& slab, uint64_t slot_bytes) {
  std::erase(open_[slot_bytes], &slab);
  unmap_guarded(slab.data, kSlabBytes);
  slabs_.erase(slab.data);
}

std::byte* SlabMemory::allocate(uint64_t bytes) {
  const uint64_t slot_bytes = slot_size(bytes);
  const std::lock_guard lock(mutex_);
  OpenSlabs& open = open_[slot_bytes];
  if (open.empty()) {
    Slab* added = add_slab(slot_bytes);
    if (added == nullptr) return nullptr;
    open.push_back(added);
  }
  Slab& slab = *open.back();
  uint32_t slot = slab.used;
  if (slab.free.empty()) {
    ++slab.used;
  } else {
    slot = slab.free.back();
    slab.free.pop_back();
  }
  ++slab.live;
  if (!slab.is_open()) open.pop_back();
  if (empty_ == &slab) empty_ = nullptr;
  return slab.data + slot * slot_bytes;
}

void SlabMemory::release(std::byte* data, uint64_t bytes) {
  const uint64_t slot_bytes = slot_size(bytes);
  if (slot_bytes >= kReturnedFromBytes) madvise(data, slot_bytes, MADV_DONTNEED);
  const std::lock_guard lock(mutex_);
  Slab& slab = slabs_.at(slab_start(data));
  if (!slab.is_open()) open_[slot_bytes].push_back(&slab);
  slab.free.push_back(static_cast<uint16_t>(static_cast<uint64_t>(data - slab.data) / slot_bytes));
  if (--slab.live == 0) note_empty(slab, slot_bytes);
}

void SlabMemory::note_empty(Slab& slab, uint64_t slot_bytes) {
  if (empty_ != nullptr) remove_slab(*empty_, empty_slot_bytes_);
  empty_ = &slab;
  empty_slot_bytes_ = slot_bytes;
}

}  // namespace assay::device
