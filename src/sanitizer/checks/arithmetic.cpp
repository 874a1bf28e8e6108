// See arithmetic.h.
#include "sanitizer/checks/arithmetic.h"

namespace assay::sanitizer {

using kernel::kSimdgroupWidth;
using kernel::SiteKind;

void ArithmeticCheck::begin_group() {
  if (has_made_) forget_made();
}

void ArithmeticCheck::forget_made() {
  made_at_.fill({});
  nan_of_infinity_at_.fill({});
  has_made_ = false;
}

void ArithmeticCheck::on_condition(LaunchState& state, const kernel::LaneEvent& event,
                                   const uint64_t* values) {
  RawRule rule = RawRule::kDivision;
  Check check = Check::kArithmetic;
  switch (state.site(event.site).kind) {
    case SiteKind::kThreadArray: return on_thread_array(state, event, values);
    case SiteKind::kNotFiniteStore: return on_store(state, event, values);
    case SiteKind::kNotFinite: return on_made(event, values);
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
    Made& made = (is_of_finite ? made_at_ : nan_of_infinity_at_)[event.first_thread + lane];
    if (made.site == kNoSite) made = {event.site, values[lane] != 0};
  });
}

// Infinities that a kernel wrote down itself are meant; what arithmetic made of numbers counts,
// and only where it leaves the kernel. `values`: what is stored, then whether it is NaN.
void ArithmeticCheck::on_store(LaunchState& state, const kernel::LaneEvent& event,
                               const uint64_t* values) {
  if (!state.checks.has(Check::kNotFinite) || !has_made_) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t thread = event.first_thread + lane;
    const bool is_nan = values[kSimdgroupWidth + lane] != 0;
    const bool is_of_finite = made_at_[thread].site != kNoSite;
    const Made made = is_of_finite ? made_at_[thread]
                      : is_nan     ? nan_of_infinity_at_[thread]
                                   : Made();
    if (made.site == kNoSite) return;
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kNotFinite, made.site, thread, finding)) return;
    finding->other_site = event.site;
    finding->values[0] = made.is_nan;
    finding->values[1] = is_of_finite;
  });
}

}  // namespace assay::sanitizer
