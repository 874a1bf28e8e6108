// What the checks of one launch share while it runs. One host thread uses it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernel/checks.h"
#include "sanitizer/object_table.h"
#include "sanitizer/raw_finding.h"
#include "sanitizer/rules.h"
#include "sanitizer/thread_clock.h"

namespace assay::sanitizer {

// What every access asks its site, in half a cache line.
struct SiteFacts {
  uint64_t bytes = 0;
  uint64_t object_bytes = 0;
  uint32_t misaligned_bits = 0;  // bits of an address that must be 0
  int16_t object = ObjectTable::kNone;
  bool reads = false;
  bool writes = false;
  bool is_atomic = false;
  bool is_block = false;
  bool is_early = false;      // nobody looks at the value here
  bool is_somewhere = false;  // in one of several objects
  bool is_unknown = false;    // in whatever memory
  bool is_unset = false;      // about what has no value
};

struct LaunchState {
  const kernel::CheckTable* table = nullptr;
  std::vector<SiteFacts> facts;  // one per site
  CheckSet checks;
  ObjectTable objects;
  RawFindings findings;
  // All buffers of the device, in the order of their addresses, where somebody knows them and code
  // has pointers of which nobody knows where they come from.
  std::optional<std::vector<Extent>> device_memory;

  // Of the threadgroup that runs.
  uint64_t group = 0;  // number in the grid, x fastest
  uint32_t thread_count = 0;
  std::array<ThreadClock, kernel::kMaxThreadsPerThreadgroup> clocks = {};
  bool has_parted = false;  // lanes that run together may have passed different barriers

  // The kernel's sites, and what follows from them.
  void set_table(const kernel::CheckTable& kernel_table);
  // A threadgroup variable is a part of the arena; accesses say where it begins.
  Extent extent_of(uint32_t site_number, int object, uint64_t variable) const {
    if (object != ObjectTable::kVariables) return objects[object];
    return {variable, variable + facts[site_number].object_bytes, variable};
  }
  // Bytes from the start of the object to where the lane goes.
  int64_t offset_of(const kernel::LaneAccess& access, int object, uint32_t lane) const {
    const bool is_variable = facts[access.site].object == ObjectTable::kVariables;
    const uint64_t start = is_variable ? access.object : objects[object].start;
    return static_cast<int64_t>(access.lane_address(lane) - start);
  }

  // Whether an address that belongs to no object certainly is a mistake.
  bool is_astray(uint64_t address, const SiteFacts& site_facts) const;

  const kernel::CheckSite& site(uint32_t number) const { return table->sites[number]; }
  RawThread thread(uint32_t index) const { return {group, index}; }

  // Counts the finding; true for the first of its kind, with `finding` set to fill in the rest.
  bool report(RawRule rule, uint32_t site, uint32_t thread_index, RawFinding*& finding) {
    bool is_new = false;
    finding = findings.add(rule, site, is_new);
    if (is_new) finding->thread = thread(thread_index);
    return is_new;
  }
};

inline bool is_write(kernel::SiteKind kind) {
  return kind == kernel::SiteKind::kStore || kind == kernel::SiteKind::kAtomicStore ||
         kind == kernel::SiteKind::kAtomicUpdate || kind == kernel::SiteKind::kBlockStore;
}

inline bool is_atomic(kernel::SiteKind kind) {
  return kind == kernel::SiteKind::kAtomicLoad || kind == kernel::SiteKind::kAtomicStore ||
         kind == kernel::SiteKind::kAtomicUpdate;
}

// How many lanes there are, if they are the first ones without a gap; 0 if not. Rows of a
// threadgroup may be shorter than a simdgroup.
inline uint32_t count_row(uint32_t mask) {
  if (mask == 0 || (mask & (mask + 1)) != 0) return 0;
  return 32 - static_cast<uint32_t>(__builtin_clz(mask));
}

// Calls `body` with the number of each set lane, lowest first.
template <typename Body>
void for_each_lane(uint32_t mask, const Body& body) {
  for (; mask != 0; mask &= mask - 1) body(static_cast<uint32_t>(__builtin_ctz(mask)));
}

}  // namespace assay::sanitizer
