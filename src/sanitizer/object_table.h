// The memory that one launch may use, and which part of it an access means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/checks.h"
#include "kernel/description.h"
#include "sanitizer/memory_state.h"

namespace assay::sanitizer {

struct Extent {
  uint64_t begin = 0;  // address of the first byte that may be used
  uint64_t end = 0;    // and behind the last one
  uint64_t start = 0;  // address that offsets count from: where the argument points

  bool holds(uint64_t address, uint64_t bytes) const {
    return address >= begin && address <= end && bytes <= end - address;
  }
};

struct MemoryObject : Extent {
  MemoryState* state = nullptr;  // null: always has values and no races
  uint64_t state_begin = 0;      // address of the state's first byte
  bool tracks_races = false;
  bool has_readers = true;  // or atomics; otherwise only writes meet each other
  bool is_threadgroup = false;
  const kernel::ArrayDescription* array = nullptr;  // null where nobody knows
};

// Objects are numbered: buffers and threadgroup arguments by slot, threadgroup variables as one.
class ObjectTable {
 public:
  static constexpr int kThreadgroupBase = static_cast<int>(kernel::kMaxBufferSlots);
  static constexpr int kVariables =
      kThreadgroupBase + static_cast<int>(kernel::kMaxThreadgroupSlots);
  static constexpr int kCount = kVariables + 1;
  static constexpr int kNone = -1;
  static constexpr uint64_t kNear = 4096;  // bytes

  MemoryObject& operator[](int index) { return objects_[static_cast<size_t>(index)]; }
  const MemoryObject& operator[](int index) const { return objects_[static_cast<size_t>(index)]; }

  // The object that `site` names; kNone when the code does not tell.
  static int object_of(const kernel::CheckSite& site) {
    switch (site.memory) {
      case kernel::SiteMemory::kBuffer: return static_cast<int>(site.slot);
      case kernel::SiteMemory::kThreadgroupArgument:
        return kThreadgroupBase + static_cast<int>(site.slot);
      case kernel::SiteMemory::kThreadgroupVariable: return kVariables;
      default: return kNone;
    }
  }
  // By address; kNone when it lies in none.
  int find(uint64_t address, uint64_t bytes) const {
    for (int index = 0; index < kCount; ++index) {
      const MemoryObject& object = (*this)[index];
      if (object.begin != object.end && object.holds(address, bytes)) return index;
    }
    return kNone;
  }
  // The object that an address is most likely meant for although it lies outside: the nearest one
  // that is not further away than kNear or, if `is_sure` that it is one of them, its own size;
  // kNone if there is none. Otherwise only buffers come into question.
  int find_near(uint64_t address, bool is_sure) const;

 private:
  std::vector<MemoryObject> objects_ = std::vector<MemoryObject>(kCount);
};

inline int ObjectTable::find_near(uint64_t address, bool is_sure) const {
  int nearest = kNone;
  uint64_t least = UINT64_MAX;
  for (int index = 0; index < kCount; ++index) {
    const MemoryObject& object = (*this)[index];
    if (object.begin == object.end) continue;
    // Variables and stacks of threads may lie next to the memory of threadgroups.
    if (!is_sure && (object.is_threadgroup || object.state == nullptr)) continue;
    const uint64_t distance =
        address < object.begin ? object.begin - address : address - object.end;
    const uint64_t most = is_sure ? std::max(kNear, object.end - object.begin) : kNear;
    if (distance > most || distance >= least) continue;
    nearest = index;
    least = distance;
  }
  return nearest;
}

}  // namespace assay::sanitizer
