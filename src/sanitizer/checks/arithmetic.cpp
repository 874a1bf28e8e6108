// See arithmetic.h.
#include "sanitizer/checks/arithmetic.h"

namespace assay::sanitizer {

using kernel::kSimdgroupWidth;
using kernel::SiteKind;

namespace {

void on_thread_array(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values) {
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

}  // namespace

void check_condition(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values) {
  RawRule rule = RawRule::kDivision;
  Check check = Check::kArithmetic;
  switch (state.site(event.site).kind) {
    case SiteKind::kThreadArray: return on_thread_array(state, event, values);
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

}  // namespace assay::sanitizer
