// See bounds.h.
#include "sanitizer/checks/bounds.h"

namespace assay::sanitizer {
namespace {

void report_outside(LaunchState& state, const kernel::LaneAccess& access, uint32_t lane,
                    int index) {
  const bool writes = state.facts[access.site].writes;
  RawFinding* finding = nullptr;
  const RawRule rule = writes ? RawRule::kWriteOutside : RawRule::kReadOutside;
  if (!state.report(rule, access.site, access.first_thread + lane, finding)) return;
  finding->object = index;
  finding->offset = index == ObjectTable::kNone ? static_cast<int64_t>(access.lane_address(lane))
                                                : state.offset_of(access, index, lane);
}

ResolvedAccess find_by_address(LaunchState& state, const kernel::LaneAccess& access) {
  const SiteFacts& site = state.facts[access.site];
  ResolvedAccess resolved{ObjectTable::kNone, access.mask};
  bool is_first = true;
  for_each_lane(access.mask, [&](uint32_t lane) {
    const int found = state.objects.find(access.lane_address(lane), site.bytes);
    const uint64_t address = access.lane_address(lane);
    if (found == ObjectTable::kNone && state.is_astray(address, site)) {
      resolved.inside &= ~(1U << lane);
      if (!state.checks.has(Check::kBounds)) return;
      report_outside(state, access, lane, state.objects.find_near(address, site.is_somewhere));
      return;
    }
    resolved.object = is_first || resolved.object == found ? found : ObjectTable::kNone;
    is_first = false;
  });
  return resolved;
}

// The same as Extent::holds for every lane, without a branch for each. False says nothing.
bool holds_all(const Extent& object, const kernel::LaneAccess& access, uint64_t bytes) {
  const uint32_t lanes = count_row(access.mask);
  if (lanes == 0 || bytes > object.end - object.begin) return false;
  const uint64_t last = object.end - object.begin - bytes;
  uint64_t signs = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    const uint64_t offset = access.addresses[lane] - object.begin;
    signs |= offset | (last - offset);
  }
  return signs >> 63 == 0;
}

}  // namespace

ResolvedAccess check_bounds(LaunchState& state, const kernel::LaneAccess& access) {
  const SiteFacts& site = state.facts[access.site];
  const int index = site.object;
  if (index == ObjectTable::kNone) return find_by_address(state, access);
  const Extent object = state.extent_of(access.site, index, access.object);
  ResolvedAccess resolved{index, access.mask};
  if (access.addresses == nullptr && access.stride >= 0) {
    // The first and the last lane say it all.
    const auto low = static_cast<uint32_t>(__builtin_ctz(access.mask));
    const auto high = 31 - static_cast<uint32_t>(__builtin_clz(access.mask));
    if (object.holds(access.lane_address(low), site.bytes) &&
        object.holds(access.lane_address(high), site.bytes)) {
      return resolved;
    }
  } else if (access.addresses != nullptr && holds_all(object, access, site.bytes)) {
    return resolved;
  }
  for_each_lane(access.mask, [&](uint32_t lane) {
    if (object.holds(access.lane_address(lane), site.bytes)) return;
    resolved.inside &= ~(1U << lane);
    if (state.checks.has(Check::kBounds)) report_outside(state, access, lane, index);
  });
  return resolved;
}

void check_alignment(LaunchState& state, const kernel::LaneAccess& access, uint32_t lanes) {
  const uint64_t wrong = state.facts[access.site].misaligned_bits;
  if (access.addresses == nullptr && (access.address & wrong) == 0 &&
      (static_cast<uint64_t>(access.stride) & wrong) == 0) {
    return;
  }
  for_each_lane(lanes, [&](uint32_t lane) {
    const uint64_t address = access.lane_address(lane);
    if ((address & wrong) == 0) return;
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kMisaligned, access.site, access.first_thread + lane, finding)) {
      return;
    }
    finding->object = state.facts[access.site].object;
    finding->offset =
        finding->object == ObjectTable::kNone ? 0 : state.offset_of(access, finding->object, lane);
    finding->values[0] = address;
  });
}

}  // namespace assay::sanitizer
