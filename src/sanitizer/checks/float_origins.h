// Which operation made the NaN or infinity that another operation had for a result.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

#include "kernel/checks.h"
#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// The operation that made a NaN or infinity.
struct MadeFloat {
  uint32_t site = kNoSite;
  uint16_t thread = 0;
  bool is_nan = false;        // or infinity
  bool is_of_finite = false;  // or of infinity

  explicit operator bool() const { return site != kNoSite; }
};

// Of what each thread last computed or loaded at each site. A table of a fixed size: one result
// takes the place of another that falls together with it, and is then not known any more.
class FloatOrigins {
 public:
  // Takes memory only `if_used`; without it, nothing is ever known.
  explicit FloatOrigins(bool is_used);

  void forget_all() { ++round_; }
  // `kind` has the bits of kernel::kFloatNan and kFloatNegative. A `made` that is none is
  // forgotten.
  void set(uint32_t site, uint32_t thread, uint32_t kind, const MadeFloat& made);
  // At the first of these sites whose result the thread has, if it is of the kind, as far as `bits`
  // of that matter.
  MadeFloat find(std::span<const uint32_t> sites, uint32_t thread, uint32_t kind,
                 uint32_t bits) const;

 private:
  // A thousand threads and some thirty operations each.
  static constexpr size_t kPlaces = size_t{1} << 15;
  struct Origin {
    uint32_t round;  // never that of a place that nobody used
    uint32_t site;
    MadeFloat made;
    uint16_t thread;
    uint16_t kind;
  };
  struct Free {
    void operator()(Origin* origins) const { std::free(origins); }
  };

  Origin& at(uint32_t site, uint32_t thread) const {
    // Threads lie side by side, and no two sites at one place, whatever their distance.
    constexpr uint32_t kStride = 677;
    return origins_.get()[(site * kStride + thread) % kPlaces];
  }
  bool holds(const Origin& origin, uint32_t site, uint32_t thread) const {
    return origin.round == round_ && origin.site == site && origin.thread == thread;
  }

  std::unique_ptr<Origin, Free> origins_;
  uint32_t round_ = 1;
};

}  // namespace assay::sanitizer
