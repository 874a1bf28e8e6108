// Which accesses of a launch are ordered by barriers and fences. All counters are of one
// threadgroup at a time, except for what its end leaves behind for others.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernel/checks.h"

namespace assay::sanitizer {

// Barriers order what was written before them only where they name its memory. What was read before
// them is done in any case.
enum class Order : uint8_t { kDevice, kThreadgroup, kExecution };

// Barriers that one thread has passed, by what they order.
struct ThreadClock {
  uint16_t epoch[3] = {};     // threadgroup barriers
  uint8_t sub_epoch[3] = {};  // simdgroup barriers
};

// Words in RaceCell: generation 6 | group 24 | thread 10 | epoch 12 | sub 5 | releases 4 | flags 3.
struct CellWord {
  static constexpr uint64_t kAtomic = 1;   // the access was atomic
  static constexpr uint64_t kShared = 2;   // of reads: several threads since the last barrier
  static constexpr uint64_t kForeign = 4;  // of reads: threads of several threadgroups

  static uint64_t make(uint64_t generation, uint64_t group, uint32_t thread, uint32_t epoch,
                       uint32_t sub_epoch, uint32_t releases) {
    return generation << 58 | short_group(group) << 34 | uint64_t{thread} << 24 |
           uint64_t{epoch & 0xFFF} << 12 | uint64_t{sub_epoch & 0x1F} << 7 |
           uint64_t{releases & 0xF} << 3;
  }
  // As much of a threadgroup's number as a word has room for.
  static uint64_t short_group(uint64_t group) { return group & 0xFFFFFF; }
  // The word of the thread that is `lanes` further on.
  static uint64_t of_thread(uint64_t word, uint32_t lanes) {
    return word + (uint64_t{lanes} << 24);
  }
  static uint64_t without_thread(uint64_t word) { return word & ~(uint64_t{0x3FF} << 24); }
  // What two words differ in, from their exclusive or.
  static bool is_other_launch(uint64_t differences) { return differences >> 58 != 0; }
  static bool is_other_group(uint64_t differences) { return differences >> 34 != 0; }
  static bool is_other_thread(uint64_t differences) { return differences >> 24 != 0; }
  static bool is_other_epoch(uint64_t differences) {
    return (differences & uint64_t{0xFFF} << 12) != 0;
  }
  static bool is_other_sub_epoch(uint64_t differences) {
    return (differences & uint64_t{0x1F} << 7) != 0;
  }
  static uint64_t generation(uint64_t word) { return word >> 58; }
  static uint64_t group(uint64_t word) { return short_group(word >> 34); }
  static uint32_t thread(uint64_t word) { return static_cast<uint32_t>(word >> 24 & 0x3FF); }
  static uint32_t epoch(uint64_t word) { return static_cast<uint32_t>(word >> 12 & 0xFFF); }
  static uint32_t sub_epoch(uint64_t word) { return static_cast<uint32_t>(word >> 7 & 0x1F); }
  static uint32_t releases(uint64_t word) { return static_cast<uint32_t>(word >> 3 & 0xF); }
};

}  // namespace assay::sanitizer
