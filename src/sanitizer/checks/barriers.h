// Every thread of a threadgroup must come to the same barriers, and every thread of a simdgroup to
// its barriers.
#pragma once

#include <array>
#include <optional>

#include "sanitizer/launch_state.h"

namespace assay::sanitizer {

// The barriers that threads have come to, in order: those of a threadgroup, or of a simdgroup.
// Behind the remembered ones only their number is compared.
template <uint32_t remembered>
struct BarrierRow {
  uint32_t most = 0;                            // that one thread has come to
  std::array<uint32_t, remembered> sites = {};  // where the first thread met each
  std::array<uint32_t, remembered> first = {};  // and who that was

  void note_first(uint32_t number, uint32_t site, uint32_t thread);
};

class BarrierCheck {
 public:
  void begin_group();
  void on_barrier(LaunchState& state, const kernel::LaneEvent& event);
  // The number of barriers up to which all threads were together, if they parted then: nothing that
  // happened in the group since has an order.
  std::optional<uint32_t> end_group(LaunchState& state);

 private:
  static constexpr uint32_t kThreads = kernel::kMaxThreadsPerThreadgroup;
  static constexpr uint32_t kSimdgroups = kThreads / kernel::kSimdgroupWidth;

  // How many barriers each thread has come to.
  using Passed = std::array<uint32_t, kThreads>;
  // Of the threads that part, or of none; the number of the first barrier that they did not share.
  template <typename Row>
  static std::optional<uint32_t> pass(LaunchState& state, const kernel::LaneEvent& event, Row& row,
                                      Passed& passed);
  // Threads that never came to the last barriers of others.
  template <typename Row>
  static std::optional<uint32_t> find_missing(LaunchState& state, const Row& row,
                                              const Passed& passed, uint32_t begin, uint32_t end);

  BarrierRow<1024> group_;
  std::array<BarrierRow<64>, kSimdgroups> simdgroups_;
  Passed passed_ = {};
  Passed passed_in_simdgroup_ = {};
  bool has_simdgroup_barriers_ = false;
  std::optional<uint32_t> parted_after_;
};

}  // namespace assay::sanitizer
