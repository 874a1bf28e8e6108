// See not_finite.h.
#include "sanitizer/checks/not_finite.h"

#include <cstring>

namespace assay::sanitizer {

using kernel::FloatSource;
using kernel::kFloatNan;
using kernel::kFloatNegative;
using kernel::kFloatNotFinite;
using kernel::kSimdgroupWidth;
using kernel::SiteKind;
using kernel::UsedFloat;

namespace {

// A number that is a made one is of its kind.
uint32_t bits_that_matter(const FloatSource& source, uint32_t kind) {
  const bool has_sign = source.keeps_sign && (kind & kFloatNan) == 0;
  return kFloatNan | (has_sign ? kFloatNegative : 0);
}

// Of a pattern of so many bytes.
uint32_t kind_of(uint64_t pattern, uint64_t bytes, bool is_nan) {
  const bool is_negative = bytes != 0 && (pattern >> (8 * bytes - 1) & 1) != 0;
  return (is_nan ? kFloatNan : 0) | (is_negative ? kFloatNegative : 0);
}

}  // namespace

// One that a thread made, whose result is not finite.
struct NotFiniteCheck::Operation {
  const kernel::CheckSite& site;
  uint32_t number;
  uint32_t thread;
  uint64_t classes;

  bool exchanges() const { return site.kind == SiteKind::kNotFiniteExchange; }
  size_t operand_count() const { return site.sources.size() + (exchanges() ? 1 : 0); }
  // Of the result, and of operands from 0 on.
  uint32_t kind_of_result() const { return static_cast<uint32_t>(classes); }
  uint32_t kind_of(size_t operand) const {
    return static_cast<uint32_t>(classes >> (kernel::kFloatClassBits * (operand + 1)));
  }
  bool has(uint32_t bits) const {
    for (size_t i = 0; i < operand_count(); ++i) {
      if ((kind_of(i) & bits) != 0) return true;
    }
    return false;
  }
};

NotFiniteCheck::NotFiniteCheck(CheckSet checks)
    : is_on_(checks.has(Check::kNotFinite)), origins_(is_on_) {}

bool NotFiniteCheck::concerns(SiteKind kind) {
  return kind == SiteKind::kNotFinite || kind == SiteKind::kNotFiniteExchange ||
         kind == SiteKind::kNotFiniteStore || kind == SiteKind::kNotFiniteShared ||
         kind == SiteKind::kNotFiniteReceived;
}

void NotFiniteCheck::begin_group() {
  if (!has_made_) return;
  origins_.forget_all();
  has_made_ = false;
  has_told_.reset();
  if (has_shared_) shared_.fill({});
  has_shared_ = false;
}

void NotFiniteCheck::on_condition(LaunchState& state, const kernel::LaneEvent& event,
                                  const uint64_t* values) {
  if (!is_on_) return;
  switch (state.site(event.site).kind) {
    case SiteKind::kNotFiniteReceived:
      for_each_lane(event.mask, [&](uint32_t lane) {
        brought_[event.first_thread + lane] = static_cast<uint32_t>(values[lane]);
      });
      return;
    case SiteKind::kNotFiniteStore: return on_store(state, event, values);
    case SiteKind::kNotFiniteShared: return on_shared(state, event, values);
    default: return on_made(state, event, values);
  }
}

// From what other lanes brought.
MadeFloat NotFiniteCheck::find_brought(const Operation& operation, bool is_nan) const {
  const uint32_t lane = operation.thread % kSimdgroupWidth;
  const uint32_t first = operation.thread - lane;
  const uint32_t others = brought_[operation.thread] & ~(1U << lane);
  for (uint32_t left = others; left != 0; left &= left - 1) {
    const uint32_t other = first + static_cast<uint32_t>(__builtin_ctz(left));
    for (const FloatSource& source : operation.site.sources) {
      const MadeFloat made = origins_.find(source.sites, other, is_nan ? kFloatNan : 0, kFloatNan);
      if (made) return made;
    }
  }
  return {};
}

// What the result comes from; none where that is meant, or came from outside.
MadeFloat NotFiniteCheck::find_made(const Operation& operation) const {
  const bool is_nan = (operation.kind_of_result() & kFloatNan) != 0;
  const auto thread = static_cast<uint16_t>(operation.thread);
  if (!operation.has(kFloatNotFinite)) return {operation.number, thread, is_nan, true};
  // NaN does not become infinity.
  for (const bool of_nan : {true, false}) {
    if (!has_made_ || (of_nan && !is_nan)) continue;
    for (size_t i = 0; i < operation.operand_count(); ++i) {
      const uint32_t kind = operation.kind_of(i);
      if ((kind & kFloatNotFinite) == 0 || ((kind & kFloatNan) != 0) != of_nan) continue;
      if (i == operation.site.sources.size()) {
        if (const MadeFloat made = find_brought(operation, of_nan)) return made;
        continue;
      }
      const FloatSource& source = operation.site.sources[i];
      const MadeFloat made =
          origins_.find(source.sites, operation.thread, kind, bits_that_matter(source, kind));
      if (made) return made;
    }
  }
  // What a thread reads back from a buffer is told already.
  const bool is_new = is_nan && !operation.has(kFloatNan) && !has_told_[operation.thread];
  if (is_new) return {operation.number, thread, true, false};
  return {};
}

// `values`: the classes of the result and the operands.
void NotFiniteCheck::on_made(LaunchState& state, const kernel::LaneEvent& event,
                             const uint64_t* values) {
  const kernel::CheckSite& site = state.site(event.site);
  for_each_lane(event.mask, [&](uint32_t lane) {
    const Operation operation{site, event.site, event.first_thread + lane, values[lane]};
    const MadeFloat made = find_made(operation);
    has_made_ |= static_cast<bool>(made);
    if (!has_made_) return;
    origins_.set(event.site, operation.thread, operation.kind_of_result(), made);
    // Infinity may be meant on the way to a finite result, but nobody means a sum to be lost to
    // halves that end at 65504.
    if (site.role == kernel::FloatRole::kRunningSum && made && made.site != event.site &&
        state.site(made.site).role == kernel::FloatRole::kHalfProduct && made.is_of_finite) {
      tell(state, made, event.site);
    }
  });
}

// `values`: the address, then the number (kernel::kSharedNanBit).
void NotFiniteCheck::on_shared(const LaunchState& state, const kernel::LaneEvent& event,
                               const uint64_t* values) {
  if (!has_made_) return;
  const kernel::CheckSite& site = state.site(event.site);
  if (site.sources.empty()) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    constexpr uint64_t kNan = uint64_t{1} << kernel::kSharedNanBit;
    const uint64_t number = values[kSimdgroupWidth + lane];
    const uint32_t kind = kind_of(number & ~kNan, site.bytes, (number & kNan) != 0);
    const FloatSource& source = site.sources.front();
    const MadeFloat made = origins_.find(source.sites, event.first_thread + lane, kind,
                                         bits_that_matter(source, kind));
    Shared& shared = shared_at(values[lane]);
    if (made) {
      shared = {values[lane], site.bytes, number & ~kNan, kind, made};
      has_shared_ = true;
    } else if (shared.address == values[lane]) {
      shared = {};
    }
  });
}

void NotFiniteCheck::on_shared_read(uint32_t site, uint32_t thread, uint64_t address,
                                    uint64_t bytes) {
  MadeFloat made;
  uint32_t kind = 0;
  for (uint64_t at = address; at < address + bytes && !made; at += 2) {
    const Shared& shared = shared_at(at);
    if (shared.address != at) continue;
    uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(at), shared.bytes);
    // It may have been written over since.
    if (bits != shared.bits) continue;
    made = shared.made;
    kind = shared.kind;
  }
  origins_.set(site, thread, kind, made);
}

void NotFiniteCheck::tell(LaunchState& state, const MadeFloat& made, uint32_t use) {
  RawFinding* finding = nullptr;
  if (!state.report(RawRule::kNotFinite, made.site, made.thread, finding)) return;
  finding->other_site = use;
  finding->values[0] = made.is_nan;
  finding->values[1] = made.is_of_finite;
}

// Infinities that a kernel wrote down itself are meant; what arithmetic made of numbers counts,
// and only where it leaves the kernel. `values`: what is stored, then what kind it is (UsedFloat).
void NotFiniteCheck::on_store(LaunchState& state, const kernel::LaneEvent& event,
                              const uint64_t* values) {
  if (!has_made_) return;
  const kernel::CheckSite& site = state.site(event.site);
  if (site.sources.empty()) return;
  for_each_lane(event.mask, [&](uint32_t lane) {
    const auto used = static_cast<UsedFloat>(values[kSimdgroupWidth + lane]);
    const uint32_t kind = kind_of(values[lane], site.bytes, used == UsedFloat::kNan);
    const FloatSource& source = site.sources.front();
    uint32_t bits = bits_that_matter(source, kind);
    if (site.bytes == 0) bits = used == UsedFloat::kEither ? 0 : kFloatNan;
    const MadeFloat made = origins_.find(source.sites, event.first_thread + lane, kind, bits);
    if (!made) return;
    has_told_[event.first_thread + lane] = true;
    tell(state, made, event.site);
  });
}

}  // namespace assay::sanitizer
