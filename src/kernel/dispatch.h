// One run of a kernel: sizes, bindings, labels and times. Plain data that queues execute and
// observers see. Origin texts come from above unread, so that tools can show arrays and call sites
// that no device knows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernel/kernel_image.h"

namespace assay::kernel {

// Sizes along x, y, z.
struct Size3 {
  uint32_t x = 1, y = 1, z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
  bool operator==(const Size3&) const = default;
};

// What `grid` counts: threads (the last group along an axis may be partial) or whole threadgroups.
enum class LaunchForm : uint8_t { kThreads, kThreadgroups };

struct LaunchSize {
  LaunchForm form = LaunchForm::kThreads;
  Size3 grid;
  Size3 threadgroup;

  static LaunchSize threads(Size3 grid, Size3 threadgroup) {
    return {LaunchForm::kThreads, grid, threadgroup};
  }
  static LaunchSize threadgroups(Size3 groups, Size3 threadgroup) {
    return {LaunchForm::kThreadgroups, groups, threadgroup};
  }

  // Both need sizes that passed validation: nothing zero, nothing past 32 bits.
  Size3 threads_per_grid() const {
    if (form == LaunchForm::kThreads) return grid;
    return {grid.x * threadgroup.x, grid.y * threadgroup.y, grid.z * threadgroup.z};
  }
  Size3 threadgroups_per_grid() const {
    if (form == LaunchForm::kThreadgroups) return grid;
    return {divide_up(grid.x, threadgroup.x), divide_up(grid.y, threadgroup.y),
            divide_up(grid.z, threadgroup.z)};
  }

 private:
  static uint32_t divide_up(uint32_t size, uint32_t part) { return (size - 1) / part + 1; }
};

// Nanoseconds of the steady clock; 0 where the moment never came.
struct DispatchTimes {
  uint64_t submitted_ns = 0;
  uint64_t started_ns = 0;
  uint64_t ended_ns = 0;
};

enum class BindingKind : uint8_t { kBuffer, kBytes, kThreadgroupMemory };

struct BindingDescription {
  BindingKind kind = BindingKind::kBuffer;
  uint32_t slot = 0;
  uint64_t buffer_id = 0;  // 0 unless a buffer
  uint64_t offset = 0;     // bytes into the buffer
  uint64_t bytes = 0;      // from `offset` to the end of the buffer, or the size given
  // What the kernel sees at this slot; valid while the callback that hands it over runs, null for
  // threadgroup memory. On an asynchronous device only the callbacks before and after the run may
  // look at it.
  const std::byte* data = nullptr;
  std::string buffer_label;
};

struct DispatchDescription {
  uint64_t queue_id = 0;
  uint64_t command_buffer_id = 0;
  uint32_t index = 0;  // of the command in its command buffer
  uint64_t kernel_id = 0;
  std::string kernel;  // host name
  std::string label;
  std::string origin;
  LaunchSize size;
  uint64_t static_threadgroup_bytes = 0;
  std::vector<BindingDescription> bindings;
};

enum class TransferKind : uint8_t { kFill, kCopy };

struct TransferDescription {
  TransferKind kind = TransferKind::kFill;
  uint64_t queue_id = 0;
  uint64_t command_buffer_id = 0;
  uint32_t index = 0;
  uint64_t source_buffer_id = 0;  // 0 for a fill
  uint64_t source_offset = 0;
  uint64_t target_buffer_id = 0;
  uint64_t target_offset = 0;
  uint64_t bytes = 0;
  uint8_t value = 0;  // of a fill
};

struct BufferDescription {
  uint64_t id = 0;
  uint64_t bytes = 0;
  std::string label;
  bool reused = false;  // memory came from the pool: it holds what an earlier buffer left
};

struct QueueDescription {
  uint64_t id = 0;
  std::string label;
};

struct SubmitDescription {
  uint64_t queue_id = 0;
  uint64_t command_buffer_id = 0;
  std::string label;
  uint64_t command_count = 0;
  uint64_t submitted_ns = 0;
};

// `image` is valid while the callback runs; null for a kernel that was not loaded from an image.
struct LoadDescription {
  uint64_t kernel_id = 0;
  std::string kernel;
  const KernelImage* image = nullptr;
};

}  // namespace assay::kernel
