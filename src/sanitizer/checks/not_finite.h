// NaN and infinity: told at the operation that made them, once they leave the kernel. What is not
// finite is followed from one operation to the next, so that what became finite on the way counts
// for nothing.
#pragma once

#include <array>
#include <bitset>

#include "sanitizer/checks/float_origins.h"
#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class NotFiniteCheck {
 public:
  explicit NotFiniteCheck(CheckSet checks);

  static bool concerns(kernel::SiteKind kind);
  void begin_group();
  // `values`: the first operand of every lane, then the second of every lane.
  void on_condition(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

  // Whether threadgroup memory holds what should not have been made, so that reads matter.
  bool has_shared() const { return has_shared_; }
  // The thread reads so many bytes of threadgroup memory.
  void on_shared_read(uint32_t site, uint32_t thread, uint64_t address, uint64_t bytes);

 private:
  struct Shared {
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t bits = 0;
    uint32_t kind = 0;  // kernel::kFloatNan and others
    MadeFloat made = {};
  };
  struct Operation;

  void on_made(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  MadeFloat find_made(const Operation& operation) const;
  MadeFloat find_brought(const Operation& operation, bool is_nan) const;
  void on_shared(const LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  void on_store(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  static void tell(LaunchState& state, const MadeFloat& made, uint32_t use);

  const bool is_on_;
  FloatOrigins origins_;
  bool has_made_ = false;  // any thread of the threadgroup
  std::bitset<kernel::kMaxThreadsPerThreadgroup> has_told_;
  // Per thread, the lanes that brought NaN or infinity to what its simdgroup did together last.
  std::array<uint32_t, kernel::kMaxThreadsPerThreadgroup> brought_ = {};
  // What threadgroup memory holds; one takes the place of another whose address falls together
  // with its own.
  static constexpr size_t kSharedPlaces = 2048;
  Shared& shared_at(uint64_t address) { return shared_[address / 2 % kSharedPlaces]; }
  std::array<Shared, kSharedPlaces> shared_;
  bool has_shared_ = false;
};

}  // namespace assay::sanitizer
