// See arithmetic.h.
#include "sanitizer/checks/arithmetic.h"

#include <cstring>

namespace assay::sanitizer {

using kernel::kSimdgroupWidth;
using kernel::SiteKind;

void ArithmeticCheck::begin_group() {
  if (has_made_) forget_made();
}

void ArithmeticCheck::forget_made() {
  made_at_.fill({});
  nan_of_infinity_at_.fill({});
  received_at_.fill({});
  has_made_ = false;
  if (has_shared_) shared_.fill({});
  has_shared_ = false;
}

void ArithmeticCheck::on_condition(LaunchState& state, const kernel::LaneEvent& event,
                                   const uint64_t* values) {
  RawRule rule = RawRule::kDivision;
  Check check = Check::kArithmetic;
  switch (state.site(event.site).kind) {
    case SiteKind::kThreadArray: return on_thread_array(state, event, values);
    case SiteKind::kNotFiniteStore: return on_store(state, event, values);
    case SiteKind::kNotFinite: return on_made(event, values);
    case SiteKind::kNotFiniteReceived: return on_received(event, values);
    case SiteKind::kNotFiniteShared: return on_shared(state, event, values);
    case SiteKind::kShift: rule = RawRule::kShift; break;
    case SiteKind::kIndexWrap:
      rule = RawRule::kIndexWrap;
      check = Check::kWrap;
      break;
    case SiteKind::kUnsetVariable:
      rule = RawRule::kUnsetVariable;
      check = Check::kUninitialised;
      break;
    case SiteKind::kArrayRead:
      rule = RawRule::kReadOutside;
      check = Check::kBounds;
      break;
    case SiteKind::kArrayWrite:
      rule = RawRule::kWriteOutside;
      check = Check::kBounds;
      break;
    default: break;
  }
  if (!state.checks.has(check)) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    RawFinding* finding = nullptr;
    if (!state.report(rule, event.site, event.first_thread + lane, finding)) return;
    finding->values[0] = values[lane];
    finding->values[1] = values[kSimdgroupWidth + lane];
  });
}

void ArithmeticCheck::on_thread_array(LaunchState& state, const kernel::LaneEvent& event,
                                      const uint64_t* values) {
  if (!state.checks.has(Check::kBounds)) return;
  const bool writes =
      values[kSimdgroupWidth + static_cast<uint32_t>(__builtin_ctz(event.mask))] != 0;
  for_each_lane(event.mask, [&](uint32_t lane) {
    RawFinding* finding = nullptr;
    if (!state.report(writes ? RawRule::kWriteOutside : RawRule::kReadOutside, event.site,
                      event.first_thread + lane, finding)) {
      return;
    }
    finding->offset = static_cast<int64_t>(values[lane]);
  });
}

// `values`: whether it is NaN, then whether all operands were finite.
void ArithmeticCheck::on_made(const kernel::LaneEvent& event, const uint64_t* values) {
  has_made_ = true;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const bool is_of_finite = values[kSimdgroupWidth + lane] != 0;
    const uint32_t thread = event.first_thread + lane;
    Made& made = (is_of_finite ? made_at_ : nan_of_infinity_at_)[thread];
    if (made.site == kNoSite) made = {event.site, thread, values[lane] != 0, is_of_finite};
  });
}

// What a NaN or infinity that the thread has comes from; null where it is meant. NaN does not
// become infinity: that is another thread's no longer.
const ArithmeticCheck::Made* ArithmeticCheck::find_made(uint32_t thread, bool is_nan) const {
  if (made_at_[thread].site != kNoSite) return &made_at_[thread];
  if (is_nan && nan_of_infinity_at_[thread].site != kNoSite) return &nan_of_infinity_at_[thread];
  const Made& received = received_at_[thread];
  return received.site != kNoSite && (is_nan || !received.is_nan) ? &received : nullptr;
}

void ArithmeticCheck::receive(uint32_t thread, const Made& made) {
  if (received_at_[thread].site == kNoSite) received_at_[thread] = made;
}

// `values`: the lanes of the simdgroup that brought NaN or infinity, then whether NaN came out.
void ArithmeticCheck::on_received(const kernel::LaneEvent& event, const uint64_t* values) {
  if (!has_made_) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t thread = event.first_thread + lane;
    const uint32_t first = thread / kSimdgroupWidth * kSimdgroupWidth;
    const bool is_nan = values[kSimdgroupWidth + lane] != 0;
    for_each_lane(static_cast<uint32_t>(values[lane]), [&](uint32_t other) {
      if (first + other == thread) return;
      if (const Made* made = find_made(first + other, is_nan)) receive(thread, *made);
    });
  });
}

// `values`: the address, then the number (kernel::kSharedNanBit).
void ArithmeticCheck::on_shared(const LaunchState& state, const kernel::LaneEvent& event,
                                const uint64_t* values) {
  if (!has_made_ || !state.checks.has(Check::kNotFinite)) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    constexpr uint64_t kNan = uint64_t{1} << kernel::kSharedNanBit;
    const uint64_t number = values[kSimdgroupWidth + lane];
    const Made* made = find_made(event.first_thread + lane, (number & kNan) != 0);
    if (made == nullptr) return;
    shared_at(values[lane]) = {values[lane], state.site(event.site).bytes, number & ~kNan, *made};
    has_shared_ = true;
  });
}

void ArithmeticCheck::on_shared_read(uint32_t thread, uint64_t address, uint64_t bytes) {
  for (uint64_t at = address; at < address + bytes; at += 2) {
    const Shared& shared = shared_at(at);
    if (shared.address != at || thread == shared.made.thread) continue;
    uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(at), shared.bytes);
    // It may have been written over since.
    if (bits == shared.bits) receive(thread, shared.made);
  }
}

// Infinities that a kernel wrote down itself are meant; what arithmetic made of numbers counts,
// and only where it leaves the kernel. `values`: what is stored, then whether it is NaN.
void ArithmeticCheck::on_store(LaunchState& state, const kernel::LaneEvent& event,
                               const uint64_t* values) {
  if (!state.checks.has(Check::kNotFinite) || !has_made_) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const bool is_nan = values[kSimdgroupWidth + lane] != 0;
    const Made* made = find_made(event.first_thread + lane, is_nan);
    if (made == nullptr) return;
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kNotFinite, made->site, made->thread, finding)) return;
    finding->other_site = event.site;
    finding->values[0] = made->is_nan;
    finding->values[1] = made->is_of_finite;
  });
}

}  // namespace assay::sanitizer
