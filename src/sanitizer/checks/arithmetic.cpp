// See arithmetic.h.
#include "sanitizer/checks/arithmetic.h"

namespace assay::sanitizer {

using kernel::kSimdgroupWidth;
using kernel::SiteKind;

void ArithmeticCheck::begin_group() {
  if (has_made_) made_at_.fill(kNoSite);
  has_made_ = false;
}

void ArithmeticCheck::on_condition(LaunchState& state, const kernel::LaneEvent& event,
                                   const uint64_t* values) {
  RawRule rule = RawRule::kDivision;
  Check check = Check::kArithmetic;
  switch (state.site(event.site).kind) {
    case SiteKind::kThreadArray: return on_thread_array(state, event, values);
    case SiteKind::kNotFiniteStore: return on_store(state, event, values);
    case SiteKind::kNotFinite:
      has_made_ = true;
      for_each_lane(event.mask, [&](uint32_t lane) {
        uint32_t& made = made_at_[event.first_thread + lane];
        if (made == kNoSite) made = event.site;
      });
      return;
    case SiteKind::kShift: rule = RawRule::kShift; break;
    case SiteKind::kIndexWrap:
      rule = RawRule::kIndexWrap;
      check = Check::kWrap;
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

// Infinities that a kernel wrote down itself are meant; only those that arithmetic made count, and
// only where they leave the kernel.
void ArithmeticCheck::on_store(LaunchState& state, const kernel::LaneEvent& event,
                               const uint64_t* values) {
  if (!state.checks.has(Check::kNotFinite) || !has_made_) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const uint32_t thread = event.first_thread + lane;
    if (made_at_[thread] == kNoSite) return;
    RawFinding* finding = nullptr;
    if (!state.report(RawRule::kNotFinite, made_at_[thread], thread, finding)) return;
    finding->other_site = event.site;
    finding->values[0] = values[lane];
  });
}

}  // namespace assay::sanitizer
