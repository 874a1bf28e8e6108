// See memory_state.h.
#include "sanitizer/memory_state.h"

#include <algorithm>

namespace assay::sanitizer {

void RaceCells::begin(uint64_t bytes, uint32_t granule_shift) {
  const uint64_t count = (bytes + (uint64_t{1} << granule_shift) - 1) >> granule_shift;
  const bool fits = count == cells_.size() && granule_shift == granule_shift_;
  if (fits && generation_ < kGenerations) {
    ++generation_;
    return;
  }
  granule_shift_ = granule_shift;
  generation_ = 1;
  cells_.assign(count, {});
  sites_.resize(count);
}

}  // namespace assay::sanitizer
