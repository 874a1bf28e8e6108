// See initialised.h.
#include "sanitizer/checks/initialised.h"

#include <algorithm>
#include <cstring>

namespace assay::sanitizer {
namespace {

// The pattern begins anew every eight bytes from the start of the memory.
uint8_t pattern_byte(uint64_t offset) {
  return static_cast<uint8_t>(kMemoryPattern >> (offset % sizeof(kMemoryPattern) * 8));
}

bool holds_pattern(const std::byte* memory, uint64_t offset, uint64_t bytes) {
  for (uint64_t i = offset; i < offset + bytes; ++i) {
    if (std::to_integer<uint8_t>(memory[i]) != pattern_byte(i)) return false;
  }
  return true;
}

// The host may have written the memory since it was last looked at. Bytes with a flag are known to
// have their value from somebody else.
bool is_written_by_host(const MemoryObject& object, uint64_t offset, uint64_t bytes) {
  if (object.is_threadgroup || !object.state->has_pattern) return false;
  const auto* memory = reinterpret_cast<const std::byte*>(object.state_begin);
  const uint8_t* initialised = object.state->initialised.data();
  for (uint64_t i = offset; i < offset + bytes; ++i) {
    if (initialised[i] == 0 && !holds_pattern(memory, i, 1)) return true;
  }
  return false;
}

bool has_values(const uint8_t* initialised, uint64_t bytes, bool is_block) {
  if (is_block) return std::memchr(initialised, 1, bytes) != nullptr;
  return std::memchr(initialised, 0, bytes) == nullptr;
}

// The flag of a byte that was stored without a value: neither 0 nor what quick checks look for.
constexpr uint8_t kStoredUnset = 2;

// As many flags as the word has bytes, all of them set.
template <typename Word>
constexpr Word kAllSet = static_cast<Word>(0x0101'0101'0101'0101);

// Lanes that read or write whole words: a load each. False, and nothing noted, where a value is
// missing.
template <typename Word>
bool pass_words(const kernel::LaneAccess& access, const SiteFacts& site, uint8_t* initialised,
                uint64_t begin, uint32_t lanes) {
  Word all = kAllSet<Word>;
  if (site.reads) {
    for_each_lane(lanes, [&](uint32_t lane) {
      Word flags;
      std::memcpy(&flags, initialised + (access.lane_address(lane) - begin), sizeof(Word));
      all = static_cast<Word>(all & flags);
    });
  }
  if (all != kAllSet<Word>) return false;
  if (!site.writes) return true;
  for_each_lane(lanes, [&](uint32_t lane) {
    std::memcpy(initialised + (access.lane_address(lane) - begin), &all, sizeof(Word));
  });
  return true;
}

bool pass_lanes(const kernel::LaneAccess& access, const SiteFacts& site, uint8_t* initialised,
                uint64_t begin, uint32_t lanes) {
  switch (site.bytes) {
    case 1: return pass_words<uint8_t>(access, site, initialised, begin, lanes);
    case 2: return pass_words<uint16_t>(access, site, initialised, begin, lanes);
    case 4: return pass_words<uint32_t>(access, site, initialised, begin, lanes);
    case 8: return pass_words<uint64_t>(access, site, initialised, begin, lanes);
    default: return false;
  }
}

// Lanes from the first on, side by side without gaps, are one range.
bool is_range(const kernel::LaneAccess& access, uint32_t lanes, uint64_t bytes) {
  return access.addresses == nullptr && access.stride == static_cast<int64_t>(bytes) &&
         (lanes & (lanes + 1)) == 0;
}

}  // namespace

void find_initialised(const std::byte* memory, LargeVector<uint8_t>& initialised) {
  constexpr uint64_t kWord = sizeof(kMemoryPattern);
  const uint64_t bytes = initialised.size();
  for (uint64_t at = 0; at < bytes; at += kWord) {
    const uint64_t length = std::min(kWord, bytes - at);
    const bool is_untouched = holds_pattern(memory, at, length);
    // Within a word that somebody wrote, bytes count as theirs: the value may contain the
    // pattern's.
    std::memset(&initialised[at], is_untouched ? 0 : 1, length);
    if (is_untouched || length < kWord) continue;
    // But halves of a word are often different elements.
    for (uint64_t half = 0; half < kWord; half += kWord / 2) {
      if (holds_pattern(memory, at + half, kWord / 2))
        std::memset(&initialised[at + half], 0, kWord / 2);
    }
  }
}

void check_initialised(LaunchState& state, const kernel::LaneAccess& access, int index,
                       uint32_t lanes, bool reports) {
  const MemoryObject& object = state.objects[index];
  if (object.state == nullptr || object.state->is_complete || lanes == 0) return;
  const SiteFacts& site = state.facts[access.site];
  uint8_t* initialised = object.state->initialised.data();
  const bool writes = site.writes;
  const bool reads = site.reads;
  const bool is_block = site.is_block;
  if (is_range(access, lanes, site.bytes)) {
    uint8_t* first = initialised + (access.address - object.state_begin);
    const auto count = 32 - static_cast<uint64_t>(__builtin_clz(lanes));
    const bool is_fine = !reads || has_values(first, count * site.bytes, false);
    if (is_fine) {
      if (writes) std::memset(first, 1, count * site.bytes);
      return;
    }
  } else if (pass_lanes(access, site, initialised, object.state_begin, lanes)) {
    return;
  }
  for_each_lane(lanes, [&](uint32_t lane) {
    const uint64_t offset = access.lane_address(lane) - object.state_begin;
    uint8_t* bytes = initialised + offset;
    const bool is_missing = reads && !has_values(bytes, site.bytes, is_block);
    const bool is_hosts = is_missing && is_written_by_host(object, offset, site.bytes);
    RawFinding* finding = nullptr;
    if (is_missing && !is_hosts && reports &&
        state.report(RawRule::kUninitialised, access.site, access.first_thread + lane, finding)) {
      finding->object = index;
      finding->offset = state.offset_of(access, index, lane);
    }
    // Once found, the host's values need not be looked at again.
    if (writes || (is_hosts && !is_block)) std::memset(bytes, 1, site.bytes);
  });
}

uint32_t pass_unset(LaunchState& state, const kernel::LaneAccess& access) {
  const int index = state.facts[access.site].object;
  const uint64_t bytes = state.facts[access.site].bytes;
  const bool stores = state.site(access.site).kind == kernel::SiteKind::kUnsetStore;
  if (!state.checks.has(Check::kUninitialised) || index == ObjectTable::kNone) return access.mask;
  const MemoryObject& object = state.objects[index];
  if (object.state == nullptr || (stores && access.values == nullptr)) return access.mask;
  const Extent extent = state.extent_of(access.site, index, access.object);
  uint32_t others = access.mask;
  for_each_lane(access.mask, [&](uint32_t lane) {
    if (!extent.holds(access.lane_address(lane), bytes)) return;
    uint8_t* flags =
        object.state->initialised.data() + (access.lane_address(lane) - object.state_begin);
    if (stores) {
      if (access.values[lane] != 0) std::memset(flags, kStoredUnset, bytes);
    } else if (std::all_of(flags, flags + bytes, [](uint8_t it) { return it == kStoredUnset; })) {
      others &= ~(1U << lane);
    }
  });
  return others;
}

}  // namespace assay::sanitizer
