// Runs threadgroups of one launch on one thread of the host, in whatever units its code comes.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "device/cpu/aligned_memory.h"
#include "device/cpu/fault_report.h"
#include "device/cpu/launch.h"

namespace assay::device::cpu {

// Owns the memory a group needs (arena, frames, thread states) and keeps it for later launches.
// Used by one thread at a time.
class GroupRunner {
 public:
  struct Options {
    // Fill threadgroup memory before each group, so that reading it unwritten shows.
    bool poison_threadgroup_memory = false;
  };
  explicit GroupRunner(Options options) : options_(options) {}

  // Must succeed before run_group; `launch` must stay in place until the last group is done.
  Result<void> prepare(const Launch& launch);
  // Groups are numbered with x running fastest. Safe to leave by a fault (see kernel_guard.h): the
  // next run_group or prepare starts afresh.
  void run_group(uint64_t group_index);
  // The fault with the place of the last run_group, which it ended.
  GroupFault place_fault(const KernelFault& fault) const;

 private:
  void locate_group(uint64_t group_index);
  void place_group(uint64_t group_index);
  uint32_t first_thread(uint32_t unit) const;
  void execute_group();
  void run_vectors();
  void run_threads();
  void start_threads();
  uint32_t find_waiting_lanes(uint32_t first_thread) const;
  void advance_simdgroup(uint32_t first_thread);
  void advance_simdgroups();
  void open_yields();
  bool resume_all(kernel::SuspendKind kind);
  void resume_lanes(uint32_t first_thread, uint32_t lanes);
  void start(kernel::ResumableEntry entry, uint32_t unit);
  void resume(uint32_t unit);

  const Options options_;
  const Launch* launch_ = nullptr;
  kernel::GroupContext context_;
  uint64_t next_group_ = UINT64_MAX;  // the one behind that of context_
  uint32_t thread_count_ = 0;
  // What has a frame and a state: threads, or up to 32 of them.
  uint32_t unit_count_ = 0;
  bool has_yielded_ = false;   // since the last round, somebody stopped at a yield
  uint32_t running_unit_ = 0;  // of a resumable kernel, for messages
  uint64_t frame_bytes_ = 0;
  uint8_t* frames_ = nullptr;
  AlignedMemory arena_memory_;
  AlignedMemory frame_memory_;
  std::vector<kernel::ThreadState> states_;
};

}  // namespace assay::device::cpu
