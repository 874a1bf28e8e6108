// What is known about each byte or element of an object: whether it has a value, and who used it
// last in this launch.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sanitizer/large_vector.h"

namespace assay::sanitizer {

// Accesses of one element: the last write and the reads since, with their sites. Words are 0 when
// there was none in the launch (see RaceCells::generation).
struct RaceCell {
  uint64_t& write;
  uint64_t& read;
  uint16_t& write_site;
  uint16_t& read_site;
  uint16_t& other_read_site;  // of a thread beside the one in `read`, if that is shared
};

// Not thread-safe.
class RaceCells {
 public:
  // A fresh start for a launch whose accesses are all multiples of `granule` bytes in size.
  void begin(uint64_t bytes, uint32_t granule_shift);
  // Gives their memory back until the next begin().
  void release() { *this = RaceCells(); }
  // What cells for so many bytes take, and what these do.
  static uint64_t size_for(uint64_t bytes, uint32_t granule_shift);
  uint64_t size() const { return writes_.size() * kCellBytes; }

  uint32_t granule_shift() const { return granule_shift_; }
  // Marks words of this launch: 1 to kGenerations.
  uint64_t generation() const { return generation_; }
  RaceCell cell(uint64_t at) {
    return {writes_[at], reads_[at], write_sites_[at], read_sites_[at], other_read_sites_[at]};
  }
  // The parts of neighbouring cells, for whoever handles many at a time.
  uint64_t* writes() { return writes_.data(); }
  uint64_t* reads() { return reads_.data(); }
  uint16_t* write_sites() { return write_sites_.data(); }
  uint16_t* read_sites() { return read_sites_.data(); }
  uint16_t* other_read_sites() { return other_read_sites_.data(); }

  static constexpr uint64_t kGenerations = 63;

 private:
  static constexpr uint64_t kCellBytes = 2 * sizeof(uint64_t) + 3 * sizeof(uint16_t);

  LargeVector<uint64_t> writes_;
  LargeVector<uint64_t> reads_;
  LargeVector<uint16_t> write_sites_;
  LargeVector<uint16_t> read_sites_;
  LargeVector<uint16_t> other_read_sites_;
  uint32_t granule_shift_ = 0;
  uint64_t generation_ = 0;
};

// Of one buffer, from its first use to its end, or of the threadgroup memory of one launch.
struct MemoryState {
  LargeVector<uint8_t> initialised;  // per byte: 1 if it has a value
  bool is_complete = false;          // every byte is known to have one
  // Bytes without a flag may have got a value from the host since: then they no longer hold what
  // new memory is filled with.
  bool has_pattern = true;
  RaceCells races;

  // Sets `is_complete` if that is so.
  void find_complete();
};

}  // namespace assay::sanitizer
