// Which accesses of a launch are ordered by barriers and fences. All counters are of one
// threadgroup at a time, except for what its end leaves behind for others.
#pragma once

#include <cstdint>

#include "kernel/checks.h"

namespace assay::sanitizer {

// Barriers order what was written before them only where they name its memory. What was read before
// them is done in any case.
enum class Order : uint8_t { kDevice, kThreadgroup, kExecution };

// Barriers that one thread has passed, by what they order: a word, so that all threads of a
// simdgroup go on at once. Counters wrap around; above each is a bit that takes its carry.
class ThreadClock {
 public:
  // What a barrier adds to the clock of each thread.
  class Tick {
   public:
    static Tick of(const kernel::CheckSite& barrier) {
      const bool is_group = barrier.kind == kernel::SiteKind::kThreadgroupBarrier;
      Tick tick;
      if (barrier.orders_device) tick.add(Order::kDevice, is_group);
      if (barrier.orders_threadgroup) tick.add(Order::kThreadgroup, is_group);
      tick.add(Order::kExecution, is_group);
      return tick;
    }

   private:
    friend class ThreadClock;
    void add(Order order, bool is_group) {
      word_ += uint64_t{1} << (is_group ? epoch_shift(order) : sub_epoch_shift(order));
    }
    uint64_t word_ = 0;
  };

  void pass(const Tick& tick) { word_ = (word_ + tick.word_) & ~carries(); }
  // Threadgroup barriers, modulo 2^16 for kExecution, else 2^12.
  uint32_t epoch(Order order) const {
    return field(epoch_shift(order), order == Order::kExecution ? kExecutionBits : kEpochBits);
  }
  // Simdgroup barriers, modulo 2^5.
  uint32_t sub_epoch(Order order) const { return field(sub_epoch_shift(order), kSubEpochBits); }

  bool operator==(const ThreadClock&) const = default;

 private:
  static constexpr unsigned kEpochBits = 12;
  static constexpr unsigned kExecutionBits = 16;
  static constexpr unsigned kSubEpochBits = 5;

  // Epochs from bit 0 on, the longest last, then sub-epochs.
  static constexpr unsigned epoch_shift(Order order) {
    return static_cast<unsigned>(order) * (kEpochBits + 1);
  }
  static constexpr unsigned sub_epoch_shift(Order order) {
    return epoch_shift(Order::kExecution) + kExecutionBits + 1 +
           static_cast<unsigned>(order) * (kSubEpochBits + 1);
  }
  static constexpr uint64_t carry(Order order) {
    const unsigned bits = order == Order::kExecution ? kExecutionBits : kEpochBits;
    return uint64_t{1} << (epoch_shift(order) + bits) |
           uint64_t{1} << (sub_epoch_shift(order) + kSubEpochBits);
  }
  static constexpr uint64_t carries() {
    return carry(Order::kDevice) | carry(Order::kThreadgroup) | carry(Order::kExecution);
  }

  uint32_t field(unsigned shift, unsigned bits) const {
    return static_cast<uint32_t>(word_ >> shift & ((uint64_t{1} << bits) - 1));
  }

  uint64_t word_ = 0;
};

// Words in RaceCell: generation 6 | group 24 | thread 10 | epoch 12 | sub 5 | releases 4 | flags 3.
struct CellWord {
  static constexpr uint64_t kAtomic = 1;   // the access was atomic
  static constexpr uint64_t kShared = 2;   // of reads: several threads since the last barrier
  static constexpr uint64_t kForeign = 4;  // of reads: threads of several threadgroups
  static constexpr uint64_t kStart = 2;    // of writes: an atomic store of the first value
  static constexpr uint64_t kReset = 4;    // of writes: one of zero, where threads had counted

  static constexpr unsigned kLaunchShift = 58;
  static constexpr unsigned kGroupShift = 34;
  static constexpr unsigned kThreadShift = 24;
  static constexpr uint64_t kEpochMask = uint64_t{0xFFF} << 12;
  static constexpr uint64_t kSubEpochMask = uint64_t{0x1F} << 7;

  static uint64_t make(uint64_t generation, uint64_t group, uint32_t thread, uint32_t epoch,
                       uint32_t sub_epoch, uint32_t releases) {
    return generation << kLaunchShift | short_group(group) << kGroupShift |
           uint64_t{thread} << kThreadShift | uint64_t{epoch & 0xFFF} << 12 |
           uint64_t{sub_epoch & 0x1F} << 7 | uint64_t{releases & 0xF} << 3;
  }
  // As much of a threadgroup's number as a word has room for.
  static uint64_t short_group(uint64_t group) { return group & 0xFFFFFF; }
  // The word of the thread that is `lanes` further on.
  static uint64_t of_thread(uint64_t word, uint32_t lanes) {
    return word + (uint64_t{lanes} << kThreadShift);
  }
  static uint64_t without_flags(uint64_t word) { return word & ~uint64_t{7}; }
  static uint64_t without_thread(uint64_t word) {
    return word & ~(uint64_t{0x3FF} << kThreadShift);
  }
  // What two words differ in, from their exclusive or.
  static bool is_other_launch(uint64_t differences) { return differences >> kLaunchShift != 0; }
  static bool is_other_group(uint64_t differences) { return differences >> kGroupShift != 0; }
  static bool is_other_thread(uint64_t differences) { return differences >> kThreadShift != 0; }
  static bool is_other_epoch(uint64_t differences) { return (differences & kEpochMask) != 0; }
  static bool is_other_sub_epoch(uint64_t differences) {
    return (differences & kSubEpochMask) != 0;
  }
  static uint64_t generation(uint64_t word) { return word >> kLaunchShift; }
  static uint64_t group(uint64_t word) { return short_group(word >> kGroupShift); }
  static uint32_t thread(uint64_t word) {
    return static_cast<uint32_t>(word >> kThreadShift & 0x3FF);
  }
  static uint32_t epoch(uint64_t word) { return static_cast<uint32_t>(word >> 12 & 0xFFF); }
  static uint32_t sub_epoch(uint64_t word) { return static_cast<uint32_t>(word >> 7 & 0x1F); }
  static uint32_t releases(uint64_t word) { return static_cast<uint32_t>(word >> 3 & 0xF); }
};

}  // namespace assay::sanitizer
