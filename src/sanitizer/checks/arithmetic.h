// Conditions that code reports by itself: divisions by 0, shifts, indices, variables without a
// value, NaN and infinity.
#pragma once

#include <array>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

class ArithmeticCheck {
 public:
  void begin_group();
  // `values`: the first operand of every lane, then the second of every lane.
  void on_condition(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

  // Whether threadgroup memory holds what should not have been made, so that reads matter.
  bool has_shared() const { return has_shared_; }
  // The thread reads so many bytes of threadgroup memory.
  void on_shared_read(uint32_t thread, uint64_t address, uint64_t bytes);

 private:
  // The operation that made a NaN or infinity.
  struct Made {
    uint32_t site = kNoSite;
    uint32_t thread = kNoThread;
    bool is_nan = false;        // or infinity
    bool is_of_finite = false;  // or of infinity
  };
  using MadeByThread = std::array<Made, kernel::kMaxThreadsPerThreadgroup>;
  struct Shared {
    uint64_t address = 0;
    uint64_t bytes = 0;
    uint64_t bits = 0;
    Made made = {};
  };

  void forget_made();
  const Made* find_made(uint32_t thread, bool is_nan) const;
  void receive(uint32_t thread, const Made& made);
  void on_made(const kernel::LaneEvent& event, const uint64_t* values);
  void on_received(const kernel::LaneEvent& event, const uint64_t* values);
  void on_shared(const LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  void on_store(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);
  void on_thread_array(LaunchState& state, const kernel::LaneEvent& event, const uint64_t* values);

  // Per thread, the operation that first made a NaN or infinity out of finite numbers, and the one
  // that first made a NaN where infinities were among its operands.
  MadeByThread made_at_;
  MadeByThread nan_of_infinity_at_;
  MadeByThread received_at_;  // what first came from another thread
  bool has_made_ = false;     // any thread of the threadgroup
  // What threadgroup memory holds; one takes the place of another whose address falls together
  // with its own.
  static constexpr size_t kSharedPlaces = 2048;
  Shared& shared_at(uint64_t address) { return shared_[address / 2 % kSharedPlaces]; }
  std::array<Shared, kSharedPlaces> shared_;
  bool has_shared_ = false;
};

}  // namespace assay::sanitizer
