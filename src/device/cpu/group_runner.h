// Runs threadgroups of one launch on one thread of the host, one thread of the kernel at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "device/cpu/aligned_memory.h"
#include "device/cpu/executor.h"

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
  // Groups are numbered with x running fastest.
  void run_group(uint64_t group_index);

 private:
  void place_group(uint64_t group_index);
  void run_simdgroups();
  void run_threads();
  void start_threads();
  void advance_simdgroup(uint32_t first_thread);
  bool release_barrier();
  void resume(uint32_t unit);

  const Options options_;
  const Launch* launch_ = nullptr;
  kernel::GroupContext context_;
  uint32_t thread_count_ = 0;
  // What has a frame and a state: threads, or whole simdgroups.
  uint32_t unit_count_ = 0;
  bool by_simdgroup_ = false;
  uint64_t frame_bytes_ = 0;
  uint8_t* frames_ = nullptr;
  AlignedMemory arena_memory_;
  AlignedMemory frame_memory_;
  std::vector<kernel::ThreadState> states_;
};

}  // namespace assay::device::cpu
