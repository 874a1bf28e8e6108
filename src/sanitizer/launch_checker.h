// Runs all checks over one launch: keeps the events in order and hands each to whom it concerns.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/launch_checks.h"
#include "sanitizer/checks/barriers.h"
#include "sanitizer/checks/missing_lanes.h"
#include "sanitizer/checks/not_finite.h"
#include "sanitizer/checks/races.h"
#include "sanitizer/launch_state.h"
#include "sanitizer/slot_uses.h"

namespace assay::sanitizer {

// What the race cells of one launch may take, in bytes: half of the device's memory.
inline uint64_t most_race_bytes(const device::Device& device) {
  return device.limits().total_memory_bytes / 2;
}

struct LaunchSetup {
  CheckSet checks;
  uint64_t schedule_seed = 0;  // 0: threadgroups in their order
  // For the race cells of all buffers. A launch that would need more runs without looking for races
  // in some of them, and then fails.
  uint64_t race_bytes = UINT64_MAX;
  // State of the memory behind a binding; null where it is not tracked.
  std::function<MemoryState*(const kernel::BindingDescription&)> state_of;
  // LaunchState::device_memory; may be empty.
  std::function<std::vector<Extent>()> list_memory = {};
};

class LaunchChecker final : public device::LaunchChecks, public kernel::GroupChecker {
 public:
  // Called when the launch is over, on the queue's thread.
  using Finish = std::function<Result<void>(const LaunchChecker&)>;

  LaunchChecker(const kernel::CommandDescription& command, const kernel::CheckTable& table,
                const LaunchSetup& setup, Finish finish);

  const kernel::CommandDescription& command() const { return command_; }
  const LaunchState& state() const { return *state_; }
  uint64_t race_bytes_used() const { return race_bytes_ - race_bytes_left_; }

  kernel::GroupChecker& group_checker() override { return *this; }
  uint64_t group_at(uint64_t index) const override;
  Result<void> finish() override;

  void begin_group(const kernel::GroupContext& context) override;
  void end_group() override;
  const kernel::QuickCheck* quick_checks() const override { return quick_checks_.data(); }
  uint32_t on_access(const kernel::LaneAccess& access) override;
  void on_fine_access(const kernel::LaneAccess& access) override;
  bool on_sweep(const kernel::LaneSweep& sweep) override { return check_sweep(sweep); }
  bool on_sweep(const kernel::LineSweep& sweep) override { return check_sweep(sweep); }
  void on_condition(const kernel::LaneEvent& event, const uint64_t* values) override;
  void on_barrier(const kernel::LaneEvent& event) override;

 private:
  void add_buffer(const kernel::BindingDescription& binding, const std::vector<SlotUse>& uses,
                  const LaunchSetup& setup);
  // Whether there is memory left to look for races in a buffer; takes it.
  bool has_room_for(const kernel::BindingDescription& binding, const SlotUse& use);
  void set_quick_checks(bool is_threadgroup);
  kernel::QuickCheck find_quick_check(const SiteFacts& site) const;
  uint32_t check_access(const kernel::LaneAccess& access);
  void note_fine(const kernel::LaneAccess& access);
  template <typename Sweep>
  bool check_sweep(const Sweep& sweep);
  template <typename Watch>
  void watch(const kernel::LaneAccess& access, uint32_t lanes, const Watch& watch_those);
  void watch_lanes(const kernel::LaneAccess& access, int object, uint32_t lanes);
  // NaN and infinity that other threads made.
  void watch_shared(const kernel::LaneAccess& access, uint32_t lanes);
  static bool is_threadgroup(const SiteFacts& site);

  const kernel::CommandDescription& command_;
  const Finish finish_;
  const std::unique_ptr<LaunchState> state_;
  uint64_t group_count_ = 0;
  uint64_t order_step_ = 1;  // see group_at
  uint64_t order_start_ = 0;
  MemoryState threadgroup_memory_;
  SlotUse threadgroup_use_;
  uint64_t arena_ = 0;  // address of threadgroup memory
  const uint64_t race_bytes_;
  uint64_t race_bytes_left_;
  std::string left_out_;  // names and sizes of buffers without race cells
  std::vector<kernel::QuickCheck> quick_checks_;
  size_t findings_before_group_ = 0;
  RaceCheck races_;
  KnownSweeps known_sweeps_;
  BarrierCheck barriers_;
  NotFiniteCheck not_finite_;
  MissingLaneCheck missing_lanes_;
  bool watches_shared_ = false;  // reads of threadgroup memory may bring NaN or infinity along
};

}  // namespace assay::sanitizer
