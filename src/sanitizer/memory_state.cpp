// See memory_state.h.
#include "sanitizer/memory_state.h"

#include <cstring>

namespace assay::sanitizer {
namespace {

uint64_t count_cells(uint64_t bytes, uint32_t granule_shift) {
  return (bytes + (uint64_t{1} << granule_shift) - 1) >> granule_shift;
}

}  // namespace

uint64_t RaceCells::size_for(uint64_t bytes, uint32_t granule_shift) {
  return count_cells(bytes, granule_shift) * kCellBytes;
}

void RaceCells::begin(uint64_t bytes, uint32_t granule_shift) {
  const uint64_t count = count_cells(bytes, granule_shift);
  const bool fits = count == writes_.size() && granule_shift == granule_shift_;
  if (fits && generation_ < kGenerations) {
    ++generation_;
    return;
  }
  granule_shift_ = granule_shift;
  generation_ = 1;
  writes_.assign(count, 0);
  reads_.assign(count, 0);
  for (LargeVector<uint16_t>* sites : {&write_sites_, &read_sites_, &other_read_sites_}) {
    sites->resize(count);
  }
}

void MemoryState::find_complete() {
  if (is_complete) return;
  is_complete = std::memchr(initialised.data(), 0, initialised.size()) == nullptr;
}

}  // namespace assay::sanitizer
