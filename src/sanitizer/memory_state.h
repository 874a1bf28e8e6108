// What is known about each byte or element of an object: whether it has a value, and who used it
// last in this launch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace assay::sanitizer {

// Accesses of one element: the last write and the reads since. Words are 0 when there was none in
// the launch (see RaceCells::generation).
struct RaceCell {
  uint64_t write = 0;
  uint64_t read = 0;
};

struct CellSites {
  uint16_t write = 0;
  uint16_t read = 0;
  uint16_t other_read = 0;  // of a thread beside the one in RaceCell::read, if that is shared
};

// Not thread-safe.
class RaceCells {
 public:
  // A fresh start for a launch whose accesses are all multiples of `granule` bytes in size.
  void begin(uint64_t bytes, uint32_t granule_shift);

  uint32_t granule_shift() const { return granule_shift_; }
  // Marks words of this launch: 1 to kGenerations.
  uint64_t generation() const { return generation_; }
  RaceCell* cells() { return cells_.data(); }
  CellSites* sites() { return sites_.data(); }

  static constexpr uint64_t kGenerations = 63;

 private:
  std::vector<RaceCell> cells_;
  std::vector<CellSites> sites_;
  uint32_t granule_shift_ = 0;
  uint64_t generation_ = 0;
};

// Of one buffer, from its first use to its end, or of the threadgroup memory of one launch.
struct MemoryState {
  std::vector<uint8_t> initialised;  // per byte: 1 if it has a value
  RaceCells races;
};

}  // namespace assay::sanitizer
