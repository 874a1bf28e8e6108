// See sweeps.h.
#include "sanitizer/checks/sweeps.h"

#include <algorithm>
#include <cstring>

namespace assay::sanitizer {
namespace {

// Longer loops are checked round by round: products of steps and rounds stay far from 2^64.
constexpr uint64_t kMaxRounds = uint64_t{1} << 16;
constexpr int64_t kMaxStep = int64_t{1} << 40;

// The ordinary case without a branch per lane: lanes without a gap, with as many rounds each.
// False says nothing.
bool are_regular(const Extent& extent, const SiteFacts& site, const kernel::LaneSweep& sweep,
                 const SweepLines& lines) {
  const uint64_t room = extent.end - extent.begin;
  const uint32_t lanes = count_row(sweep.mask);
  if (lanes == 0 || site.bytes > room) return false;
  const uint64_t length = lines.step * (lines.longest - 1);
  uint64_t differences = 0;
  uint64_t signs = 0;
  uint64_t low_bits = lines.step;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    differences |= sweep.rounds[lane] ^ lines.longest;
    differences |= (sweep.second[lane] - sweep.first[lane]) ^ lines.step;
    differences |= (sweep.last[lane] - sweep.first[lane]) ^ length;
    const uint64_t first = sweep.first[lane] - extent.begin;
    const uint64_t last = sweep.last[lane] - extent.begin;
    signs |= first | last | (room - site.bytes - first) | (room - site.bytes - last);
    low_bits |= sweep.first[lane];
  }
  return differences == 0 && signs >> 63 == 0 && (low_bits & site.misaligned_bits) == 0;
}

bool is_fine(const Extent& extent, const SiteFacts& site, const kernel::LaneSweep& sweep,
             uint32_t lane, uint64_t step) {
  const uint64_t first = sweep.first[lane];
  const uint64_t last = first + step * (sweep.rounds[lane] - 1);
  const bool is_line = sweep.rounds[lane] == 1 || sweep.second[lane] - first == step;
  return is_line && sweep.rounds[lane] <= kMaxRounds && last == sweep.last[lane] &&
         extent.holds(first, site.bytes) && extent.holds(last, site.bytes) &&
         ((first | step) & site.misaligned_bits) == 0;
}

// The lane whose distance all others must have.
uint32_t find_longest(const kernel::LaneSweep& sweep) {
  auto longest = static_cast<uint32_t>(__builtin_ctz(sweep.mask));
  for_each_lane(sweep.mask, [&](uint32_t lane) {
    if (sweep.rounds[lane] > sweep.rounds[longest]) longest = lane;
  });
  return longest;
}

bool are_set(const uint8_t* flags, uint64_t bytes) {
  return std::memchr(flags, 0, bytes) == nullptr;
}

// By far the most frequent size.
bool are_words_set(const uint8_t* flags, int64_t step, int64_t count) {
  constexpr uint32_t kAllSet = 0x0101'0101;
  uint32_t all = kAllSet;
  for (int64_t i = 0; i < count; ++i) {
    uint32_t word;
    std::memcpy(&word, flags + i * step, sizeof(word));
    all &= word;
  }
  return all == kAllSet;
}

// `step` may lead backwards, modulo 2^64.
bool line_has_values(const uint8_t* flags, uint64_t step, uint64_t rounds, uint64_t bytes) {
  const auto stride = static_cast<int64_t>(step);
  const auto count = static_cast<int64_t>(rounds);
  if (step == bytes) return are_set(flags, rounds * bytes);
  if (bytes == sizeof(uint32_t)) return are_words_set(flags, stride, count);
  for (int64_t round = 0; round < count; ++round) {
    if (!are_set(flags + round * stride, bytes)) return false;
  }
  return true;
}

}  // namespace

bool find_lines(const LaunchState& state, const kernel::LaneSweep& sweep, SweepLines& found) {
  const SiteFacts& site = state.facts[sweep.site];
  const uint32_t model = find_longest(sweep);
  found.longest = found.shortest = sweep.rounds[model];
  found.lanes = sweep.mask;
  if (found.longest == 0) {
    found.lanes = 0;
    return true;
  }
  const Extent extent = state.extent_of(sweep.site, site.object, sweep.object);
  found.step = found.longest > 1 ? sweep.second[model] - sweep.first[model] : 0;
  const auto step = static_cast<int64_t>(found.step);
  if (found.longest > kMaxRounds || step > kMaxStep || step < -kMaxStep) return false;
  if (are_regular(extent, site, sweep, found)) return true;
  bool are_fine = true;
  for_each_lane(sweep.mask, [&](uint32_t lane) {
    if (sweep.rounds[lane] == 0) {
      found.lanes &= ~(1U << lane);
      return;
    }
    found.shortest = std::min(found.shortest, sweep.rounds[lane]);
    are_fine &= is_fine(extent, site, sweep, lane, found.step);
  });
  return are_fine;
}

// Every lane is between the first and the last one, every round between the first and the last.
bool find_lines(const LaunchState& state, const kernel::LineSweep& sweep, SweepLines& found) {
  const SiteFacts& site = state.facts[sweep.site];
  found.longest = found.shortest = sweep.rounds;
  found.lanes = sweep.rounds == 0 ? 0 : sweep.mask;
  if (sweep.rounds == 0) return true;
  found.step = sweep.rounds > 1 ? sweep.second - sweep.first : 0;
  const auto step = static_cast<int64_t>(found.step);
  if (sweep.rounds > kMaxRounds || step > kMaxStep || step < -kMaxStep) return false;
  if (sweep.stride > kMaxStep || sweep.stride < -kMaxStep) return false;
  const uint64_t length = found.step * (sweep.rounds - 1);
  if (sweep.last - sweep.first != length) return false;
  const Extent extent = state.extent_of(sweep.site, site.object, sweep.object);
  const uint64_t low = sweep.first_of(static_cast<uint32_t>(__builtin_ctz(sweep.mask)));
  const uint64_t high = sweep.first_of(31 - static_cast<uint32_t>(__builtin_clz(sweep.mask)));
  const uint64_t stride = low == high ? 0 : static_cast<uint64_t>(sweep.stride);
  return extent.holds(low, site.bytes) && extent.holds(high, site.bytes) &&
         extent.holds(low + length, site.bytes) && extent.holds(high + length, site.bytes) &&
         ((low | stride | found.step) & site.misaligned_bits) == 0;
}

bool are_side_by_side(const kernel::LaneSweep& sweep, const SweepLines& lines, uint64_t bytes) {
  const uint32_t lanes = count_row(lines.lanes);
  if (lanes < 2) return false;
  uint64_t differences = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    differences |= (sweep.first[lane] - sweep.first[0]) ^ (lane * bytes);
  }
  return differences == 0;
}

bool are_side_by_side(const kernel::LineSweep& sweep, const SweepLines& lines, uint64_t bytes) {
  return sweep.stride == static_cast<int64_t>(bytes) && count_row(lines.lanes) > 1;
}

uint32_t without_repeats(const kernel::LineSweep& sweep, const SweepLines& lines) {
  if (sweep.stride != 0) return lines.lanes;
  const uint32_t rest = lines.lanes & (lines.lanes - 1);
  return lines.lanes & ~(rest & (rest - 1));
}

uint32_t without_repeats(const kernel::LaneSweep& sweep, const SweepLines& lines) {
  const uint32_t lanes = count_row(lines.lanes);
  if (!lines.are_equal_long()) return lines.lanes;
  uint32_t repeated = 0;  // bit i: lane i + 1 loads the same as lane i
  for (uint32_t lane = 0; lane + 1 < lanes; ++lane) {
    repeated |= static_cast<uint32_t>(sweep.first[lane] == sweep.first[lane + 1]) << lane;
  }
  return lines.lanes & ~(repeated << 1 & repeated << 2);
}

void KnownSweeps::clear() {
  for (Entry& entry : entries_) entry.mask = 0;
  for (LineEntry& entry : line_entries_) entry.sweep.mask = 0;
}

bool KnownSweeps::holds(const kernel::LineSweep& sweep, const SweepMoment& moment) const {
  const LineEntry& entry = line_entries_[sweep.site % kEntries];
  const kernel::LineSweep& known = entry.sweep;
  return known.mask == sweep.mask && known.site == sweep.site && known.first == sweep.first &&
         known.second == sweep.second && known.last == sweep.last && known.rounds == sweep.rounds &&
         known.stride == sweep.stride && known.object == sweep.object && entry.moment == moment;
}

void KnownSweeps::add(const kernel::LineSweep& sweep, const SweepMoment& moment) {
  line_entries_[sweep.site % kEntries] = {.sweep = sweep, .moment = moment};
}

namespace {

// The values of lanes up to the last active one.
uint64_t lane_bytes(uint32_t mask) {
  return (32 - static_cast<uint64_t>(__builtin_clz(mask))) * sizeof(uint64_t);
}

}  // namespace

bool KnownSweeps::holds(const kernel::LaneSweep& sweep, const SweepMoment& moment) const {
  const Entry& entry = entries_[sweep.site % kEntries];
  if (entry.mask != sweep.mask || sweep.mask == 0 || entry.site != sweep.site ||
      entry.object != sweep.object || entry.moment != moment) {
    return false;
  }
  const uint64_t bytes = lane_bytes(sweep.mask);
  auto is_known = [&](const LaneValues& known, const uint64_t* values) {
    return std::memcmp(known.data(), values, bytes) == 0;
  };
  return is_known(entry.first, sweep.first) && is_known(entry.second, sweep.second) &&
         is_known(entry.last, sweep.last) && is_known(entry.rounds, sweep.rounds);
}

void KnownSweeps::add(const kernel::LaneSweep& sweep, const SweepMoment& moment) {
  if (sweep.mask == 0) return;
  Entry& entry = entries_[sweep.site % kEntries];
  entry.mask = sweep.mask;
  entry.site = sweep.site;
  entry.object = sweep.object;
  entry.moment = moment;
  const uint64_t bytes = lane_bytes(sweep.mask);
  std::memcpy(entry.first.data(), sweep.first, bytes);
  std::memcpy(entry.second.data(), sweep.second, bytes);
  std::memcpy(entry.last.data(), sweep.last, bytes);
  std::memcpy(entry.rounds.data(), sweep.rounds, bytes);
}

namespace {

// Lanes of all kinds of sweeps.
template <typename Sweep>
bool all_have_values(const LaunchState& state, const Sweep& sweep, const SweepLines& lines) {
  const SiteFacts& site = state.facts[sweep.site];
  const MemoryObject& object = state.objects[site.object];
  if (object.state == nullptr || object.state->is_complete || lines.lanes == 0) return true;
  const uint8_t* flags = object.state->initialised.data();
  uint64_t done = 0;  // rounds that all lanes have behind them
  if (are_side_by_side(sweep, lines, site.bytes)) {
    done = lines.shortest;
    const uint64_t row_bytes = count_row(lines.lanes) * site.bytes;
    const uint8_t* rows = flags + (sweep.first_of(0) - object.state_begin);
    if (!line_has_values(rows, lines.step, done, row_bytes)) return false;
    if (lines.are_equal_long()) return true;
  }
  for (uint32_t left = without_repeats(sweep, lines); left != 0; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(__builtin_ctz(left));
    const uint64_t begin = sweep.first_of(lane) - object.state_begin + lines.step * done;
    const uint8_t* line = flags + begin;
    if (!line_has_values(line, lines.step, sweep.rounds_of(lane) - done, site.bytes)) return false;
  }
  return true;
}

}  // namespace

bool have_values(const LaunchState& state, const kernel::LaneSweep& sweep,
                 const SweepLines& lines) {
  return all_have_values(state, sweep, lines);
}

bool have_values(const LaunchState& state, const kernel::LineSweep& sweep,
                 const SweepLines& lines) {
  // Lanes that load the same need to be asked once.
  SweepLines asked = lines;
  if (sweep.stride == 0) asked.lanes &= ~(asked.lanes - 1);
  return all_have_values(state, sweep, asked);
}

namespace {

// Longer loops find a rhythm that processors foresee.
constexpr uint64_t kMostRoundsAhead = 16;

template <typename Sweep>
void fetch(const Sweep& sweep, const SweepLines& lines) {
  if (lines.longest > kMostRoundsAhead || lines.lanes == 0) return;
  uint64_t low = sweep.first_of(static_cast<uint32_t>(__builtin_ctz(lines.lanes)));
  uint64_t high = sweep.first_of(31 - static_cast<uint32_t>(__builtin_clz(lines.lanes)));
  for (uint64_t round = 0; round < lines.shortest; ++round) {
    __builtin_prefetch(reinterpret_cast<const void*>(low));
    __builtin_prefetch(reinterpret_cast<const void*>(high));
    low += lines.step;
    high += lines.step;
  }
}

}  // namespace

void fetch_ahead(const kernel::LaneSweep& sweep, const SweepLines& lines) { fetch(sweep, lines); }
void fetch_ahead(const kernel::LineSweep& sweep, const SweepLines& lines) { fetch(sweep, lines); }

}  // namespace assay::sanitizer
