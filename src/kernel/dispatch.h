// The sizes of one run of a kernel.
#pragma once

#include <array>
#include <cstdint>

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

  bool operator==(const LaunchSize&) const = default;

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

  // Of the thread with this index in the threadgroup with this number, x fastest. Threadgroups at
  // the grid's edge may be smaller.
  std::array<uint32_t, 3> position_in_grid(uint64_t group, uint32_t thread) const {
    const Size3 groups = threadgroups_per_grid();
    const Size3 threads = threads_per_grid();
    const uint32_t counts[3] = {groups.x, groups.y, groups.z};
    const uint32_t full[3] = {threadgroup.x, threadgroup.y, threadgroup.z};
    const uint32_t ends[3] = {threads.x, threads.y, threads.z};
    std::array<uint32_t, 3> position = {};
    for (int axis = 0; axis < 3; ++axis) {
      const uint64_t begin = group % counts[axis] * full[axis];
      group /= counts[axis];
      const uint64_t left = ends[axis] - begin;
      const uint32_t width = left < full[axis] ? static_cast<uint32_t>(left) : full[axis];
      position[axis] = static_cast<uint32_t>(begin) + (axis == 2 ? thread : thread % width);
      thread /= width;
    }
    return position;
  }

 private:
  static uint32_t divide_up(uint32_t size, uint32_t part) { return (size - 1) / part + 1; }
};

}  // namespace assay::kernel
