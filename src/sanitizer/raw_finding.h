// What checks note while a kernel runs: numbers only, in memory that exists beforehand, because
// code that is called from kernels must not allocate. explain.h makes sentences of them afterwards.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace assay::sanitizer {

enum class RawRule : uint8_t {
  kReadOutside,
  kWriteOutside,
  kRace,
  kRaceSameValue,
  kUninitialised,
  kUnsetVariable,
  kMissingLane,
  kBarrierDivergence,
  kMisaligned,
  kDivision,
  kShift,
  kIndexWrap,
  kNotFinite,
};

inline constexpr uint32_t kNoSite = UINT32_MAX;
inline constexpr uint32_t kNoThread = UINT32_MAX;

// A thread by numbers: its threadgroup in the grid, itself in the threadgroup.
struct RawThread {
  uint64_t group = 0;
  uint32_t thread = kNoThread;
};

struct RawFinding {
  RawRule rule = RawRule::kReadOutside;
  uint32_t site = 0;
  uint32_t other_site = kNoSite;  // of the other access of a race; where a NaN is stored
  RawThread thread = {};
  RawThread other_thread = {};
  int32_t object = -1;      // in the launch's ObjectTable
  int64_t offset = 0;       // bytes from the object's start
  uint64_t values[2] = {};  // operands
  bool other_is_write = false;
  uint32_t epoch = 0;  // of races: barriers that the thread had passed
  uint64_t count = 0;  // of threads and rounds
};

// Folds by rule and site; the first of each stays. Of what does not fit only the number is kept.
class RawFindings {
 public:
  // The entry of this rule and site with its count raised; `is_new` says whether the caller should
  // fill in the rest. Null when there is no room.
  RawFinding* add(RawRule rule, uint32_t site, bool& is_new) {
    is_new = false;
    ++total_;
    for (size_t i = 0; i < size_; ++i) {
      if (entries_[i].rule != rule || entries_[i].site != site) continue;
      ++entries_[i].count;
      return &entries_[i];
    }
    if (size_ == entries_.size()) {
      ++lost_;
      return nullptr;
    }
    is_new = true;
    RawFinding& entry = entries_[size_++];
    entry = {.rule = rule, .site = site, .count = 1};
    return &entry;
  }

  size_t size() const { return size_; }
  std::span<const RawFinding> entries() const { return {entries_.data(), size_}; }
  // Findings, repeats included, for which there was no room.
  uint64_t lost() const { return lost_; }
  // Calls of add() so far.
  uint64_t total() const { return total_; }

  // Drops entries from `begin` on that `drop` says yes to.
  template <typename Predicate>
  void remove_from(size_t begin, const Predicate& drop) {
    size_t kept = begin;
    for (size_t i = begin; i < size_; ++i) {
      if (!drop(entries_[i])) entries_[kept++] = entries_[i];
    }
    size_ = kept;
  }

 private:
  std::array<RawFinding, 256> entries_ = {};
  size_t size_ = 0;
  uint64_t lost_ = 0;
  uint64_t total_ = 0;
};

}  // namespace assay::sanitizer
