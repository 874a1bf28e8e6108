// What the code of a kernel does with the memory behind each of its arguments, as far as its table
// of sites says.
#pragma once

#include <vector>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

inline bool is_access(kernel::SiteKind kind) { return kind <= kernel::SiteKind::kBlockStore; }

struct SlotUse {
  bool is_written = false;
  bool is_read = false;         // or updated by atomics
  uint64_t smallest_bytes = 0;  // of all accesses; 0 when there are none
  uint64_t own_bytes = 0;       // CheckSite::own_bytes, if that is the same for all accesses

  // The use of what this and `other` have in common.
  void add(const SlotUse& other);
  // Shift of the cells' size: that of the smallest access, which must divide all others.
  uint32_t granule_shift() const;
  // Whether no thread of the grid can reach an element that another one uses.
  bool is_apart(const kernel::Size3& grid) const;
};

// The use of each buffer and of threadgroup memory (index kThreadgroupUse), from the sites alone.
inline constexpr size_t kThreadgroupUse = kernel::kMaxBufferSlots;
std::vector<SlotUse> find_slot_uses(const kernel::CheckTable& table);

}  // namespace assay::sanitizer
