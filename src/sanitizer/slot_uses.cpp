// See slot_uses.h.
#include "sanitizer/slot_uses.h"

#include <algorithm>
#include <bit>

namespace assay::sanitizer {
namespace {

SlotUse use_of(const kernel::CheckSite& site) {
  const bool is_plain_store =
      site.kind == kernel::SiteKind::kStore || site.kind == kernel::SiteKind::kBlockStore;
  return {.is_written = is_write(site.kind),
          .is_read = !is_plain_store,
          .smallest_bytes = site.bytes,
          .own_bytes = is_atomic(site.kind) ? 0 : site.own_bytes};
}

}  // namespace

void SlotUse::add(const SlotUse& other) {
  if (other.smallest_bytes == 0) return;
  if (smallest_bytes == 0) {
    *this = other;
    return;
  }
  is_written |= other.is_written;
  is_read |= other.is_read;
  smallest_bytes = std::min(smallest_bytes, other.smallest_bytes);
  if (own_bytes != other.own_bytes) own_bytes = 0;
}

// Sizes that are no powers of two are blocks of bytes.
uint32_t SlotUse::granule_shift() const {
  constexpr uint64_t kLargest = 8;
  return std::has_single_bit(smallest_bytes)
             ? static_cast<uint32_t>(std::countr_zero(std::min(smallest_bytes, kLargest)))
             : 0;
}

bool SlotUse::is_apart(const kernel::Size3& grid) const {
  constexpr uint64_t kMostBytes = uint64_t{1} << 31;
  return own_bytes != 0 && grid.y == 1 && grid.z == 1 && grid.x <= kMostBytes / own_bytes;
}

std::vector<SlotUse> find_slot_uses(const kernel::CheckTable& table) {
  std::vector<SlotUse> uses(kernel::kMaxBufferSlots + 1);
  for (const kernel::CheckSite& site : table.sites) {
    if (!is_access(site.kind)) continue;
    switch (site.memory) {
      case kernel::SiteMemory::kBuffer: uses[site.slot].add(use_of(site)); break;
      case kernel::SiteMemory::kThreadgroupArgument:
      case kernel::SiteMemory::kThreadgroupVariable: uses[kThreadgroupUse].add(use_of(site)); break;
      case kernel::SiteMemory::kSeveral:
      case kernel::SiteMemory::kUnknown:
        for (SlotUse& use : uses) use.add(use_of(site));
        break;
      default: break;
    }
  }
  return uses;
}

}  // namespace assay::sanitizer
