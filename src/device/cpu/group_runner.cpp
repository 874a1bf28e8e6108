// The forms of kernel/cpu_abi.h: plain functions, coroutines of up to 32 threads that meet at
// barriers, and coroutines of single threads, whose lanes also meet at cross-lane operations.
#include "device/cpu/group_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "base/format.h"
#include "device/cpu/cross_lane.h"

namespace assay::device::cpu {
namespace {

using kernel::kSimdgroupWidth;
using kernel::SuspendKind;
using kernel::ThreadState;

constexpr int kPoison = 0xA5;

bool waits_for_lanes(const ThreadState& state) {
  return state.suspended_at != SuspendKind::kFinished &&
         state.suspended_at != SuspendKind::kThreadgroupBarrier;
}

// The entry's own frame counts like those of the functions it calls; signal handlers run elsewhere.
Result<void> check_stack(const Launch& launch) {
  constexpr uint64_t kReserveBytes = uint64_t{32} << 10;
  const uint64_t needed = launch.kernel.stack_bytes();
  if (needed == 0) return {};
  const std::optional<uint64_t> left = remaining_stack_bytes();
  if (!left.has_value() || needed + kReserveBytes <= *left) return {};
  return Error{fmt::format(
      "[dispatch] kernel '{}': its private arrays need {} of stack, but the host thread has {} "
      "left; use smaller arrays in the kernel, or raise the stack limit (ulimit -s)",
      launch.kernel.info().name, base::format_bytes(needed), base::format_bytes(*left))};
}

}  // namespace

Result<void> GroupRunner::prepare(const Launch& launch) {
  if (Result<void> stack = check_stack(launch); !stack) return stack;
  launch_ = &launch;
  context_ = launch.context;
  next_group_ = UINT64_MAX;
  const uint32_t* group = launch.context.dispatch_threads_per_threadgroup;
  const uint64_t max_threads = uint64_t{group[0]} * group[1] * group[2];
  frame_bytes_ = launch.kernel.frame_bytes();
  const uint64_t max_units = launch.frames_per_group();
  context_.threadgroup_memory = arena_memory_.reserve(launch.threadgroup_bytes);
  frames_ = frame_memory_.reserve(frame_bytes_ * max_units);
  const bool failed = (context_.threadgroup_memory == nullptr && launch.threadgroup_bytes != 0) ||
                      (frames_ == nullptr && frame_bytes_ != 0);
  if (failed) {
    return Error{
        fmt::format("[dispatch] kernel '{}': out of memory for {} threads with {} bytes of "
                    "private memory each; use a smaller threadgroup or smaller arrays in the "
                    "kernel",
                    launch.kernel.info().name, max_threads, frame_bytes_)};
  }
  if (launch.kernel.form() != kernel::ExecutionForm::kPlain) states_.resize(max_units);
  return {};
}

// Index in the threadgroup of the first thread that a unit stands for.
uint32_t GroupRunner::first_thread(uint32_t unit) const {
  const uint32_t width = context_.threads_per_threadgroup[0];
  const uint32_t units_per_row = (width + kSimdgroupWidth - 1) / kSimdgroupWidth;
  switch (launch_->kernel.form()) {
    case kernel::ExecutionForm::kResumableSimdgroup: return unit * kSimdgroupWidth;
    case kernel::ExecutionForm::kResumableRow:
      return unit / units_per_row * width + unit % units_per_row * kSimdgroupWidth;
    default: return unit;
  }
}

// Groups mostly come one after the other: counting is several times as fast as dividing.
void GroupRunner::locate_group(uint64_t group_index) {
  const kernel::Size3& groups = launch_->threadgroups;
  uint32_t* position = context_.threadgroup_position_in_grid;
  if (group_index == next_group_) {
    if (++position[0] == groups.x) {
      position[0] = 0;
      if (++position[1] == groups.y) {
        position[1] = 0;
        ++position[2];
      }
    }
  } else {
    position[0] = static_cast<uint32_t>(group_index % groups.x);
    position[1] = static_cast<uint32_t>(group_index / groups.x % groups.y);
    position[2] = static_cast<uint32_t>(group_index / groups.x / groups.y);
  }
  next_group_ = group_index + 1;
}

// The group's position and, at the grid's edge, its smaller size.
void GroupRunner::place_group(uint64_t group_index) {
  locate_group(group_index);
  thread_count_ = 1;
  for (int axis = 0; axis < 3; ++axis) {
    const uint32_t full = context_.dispatch_threads_per_threadgroup[axis];
    // In 64 bits: the last group may start close to 2^32 threads.
    const uint64_t begin = uint64_t{context_.threadgroup_position_in_grid[axis]} * full;
    const uint64_t left = context_.threads_per_grid[axis] - begin;
    context_.threads_per_threadgroup[axis] = static_cast<uint32_t>(std::min<uint64_t>(full, left));
    thread_count_ *= context_.threads_per_threadgroup[axis];
  }
}

void GroupRunner::run_group(uint64_t group_index) {
  place_group(group_index);
  if (options_.poison_threadgroup_memory && launch_->threadgroup_bytes != 0) {
    std::memset(context_.threadgroup_memory, kPoison, launch_->threadgroup_bytes);
  }
  if (launch_->checks == nullptr) return execute_group();
  kernel::GroupChecker& checker = launch_->checks->group_checker();
  context_.checker = &checker;
  checker.begin_group(context_);
  context_.quick_checks = checker.quick_checks();
  execute_group();
  checker.end_group();
}

void GroupRunner::execute_group() {
  if (launch_->kernel.form() == kernel::ExecutionForm::kPlain) {
    launch_->kernel.plain_entry()(&context_);
  } else if (launch_->kernel.form() != kernel::ExecutionForm::kResumable) {
    run_vectors();
  } else {
    run_threads();
  }
}

// Units of up to 32 threads, which stop at barriers and yields only.
void GroupRunner::run_vectors() {
  const kernel::ResumableEntry entry = launch_->kernel.resumable_entry();
  const bool is_by_row = launch_->kernel.form() == kernel::ExecutionForm::kResumableRow;
  const uint32_t width = context_.threads_per_threadgroup[0];
  const uint32_t height = context_.threads_per_threadgroup[1];
  unit_count_ = frame_count(launch_->kernel.form(), context_.threads_per_threadgroup);
  bool yielded = false;
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t z = 0;
  for (uint32_t unit = 0; unit < unit_count_; ++unit) {
    ThreadState& state = states_[unit];
    state = {};
    state.position_in_threadgroup[0] = x;
    state.position_in_threadgroup[1] = y;
    state.position_in_threadgroup[2] = z;
    state.index_in_threadgroup = (z * height + y) * width + x;
    start(entry, unit);
    yielded |= state.suspended_at == SuspendKind::kYield;
    // A row begins with a unit of its own, or goes on in the middle of a simdgroup.
    for (x += kSimdgroupWidth; x >= width;) {
      x = is_by_row ? 0 : x - width;
      if (++y < height) continue;
      y = 0;
      ++z;
    }
  }
  has_yielded_ = yielded;
  do {
    while (has_yielded_) resume_all(SuspendKind::kYield);
  } while (resume_all(SuspendKind::kThreadgroupBarrier));
}

GroupFault GroupRunner::place_fault(const KernelFault& fault) const {
  GroupFault at{.fault = fault,
                .threadgroup_memory = reinterpret_cast<uintptr_t>(context_.threadgroup_memory)};
  std::copy_n(context_.threadgroup_position_in_grid, 3, at.threadgroup.begin());
  // A plain kernel loops over its threads by itself.
  if (launch_->kernel.form() == kernel::ExecutionForm::kPlain) return at;
  at.first_thread = first_thread(running_unit_);
  const uint32_t* threads = context_.threads_per_threadgroup;
  switch (launch_->kernel.form()) {
    case kernel::ExecutionForm::kResumableSimdgroup:
      at.thread_count = std::min(kSimdgroupWidth, thread_count_ - at.first_thread);
      break;
    case kernel::ExecutionForm::kResumableRow:
      at.thread_count = std::min(kSimdgroupWidth, threads[0] - at.first_thread % threads[0]);
      break;
    default: at.thread_count = 1;
  }
  at.first_thread_position = {at.first_thread % threads[0],
                              at.first_thread / threads[0] % threads[1],
                              at.first_thread / threads[0] / threads[1]};
  return at;
}

// Between two barriers every simdgroup runs as far as it can, in steps that end at yields. Then all
// unfinished threads stand at a barrier, because every other suspension has been served; nothing
// else can be waited for.
void GroupRunner::run_threads() {
  unit_count_ = thread_count_;
  has_yielded_ = false;
  start_threads();
  do {
    advance_simdgroups();
    while (has_yielded_) {
      open_yields();
      advance_simdgroups();
    }
  } while (resume_all(SuspendKind::kThreadgroupBarrier));
}

void GroupRunner::start_threads() {
  const kernel::ResumableEntry entry = launch_->kernel.resumable_entry();
  uint32_t x = 0;
  uint32_t y = 0;
  uint32_t z = 0;
  for (uint32_t thread = 0; thread < thread_count_; ++thread) {
    ThreadState& state = states_[thread];
    state = {};
    state.position_in_threadgroup[0] = x;
    state.position_in_threadgroup[1] = y;
    state.position_in_threadgroup[2] = z;
    state.index_in_threadgroup = thread;
    start(entry, thread);
    if (++x < context_.threads_per_threadgroup[0]) continue;
    x = 0;
    if (++y < context_.threads_per_threadgroup[1]) continue;
    y = 0;
    ++z;
  }
}

// The lanes furthest behind, which are those at the lowest site.
uint32_t GroupRunner::find_waiting_lanes(uint32_t first_thread) const {
  const uint32_t lanes = std::min(kSimdgroupWidth, thread_count_ - first_thread);
  const ThreadState* states = &states_[first_thread];
  uint32_t lowest_site = UINT32_MAX;
  uint32_t waiting = 0;
  for (uint32_t lane = 0; lane < lanes; ++lane) {
    if (!waits_for_lanes(states[lane]) || states[lane].site > lowest_site) continue;
    if (states[lane].site < lowest_site) waiting = 0;
    lowest_site = states[lane].site;
    waiting |= uint32_t{1} << lane;
  }
  return waiting;
}

// All lanes are suspended or finished here. Serving those that are behind first lets them catch up
// with the others, so that lanes meet again at the end of a branch or loop. If they are at a yield,
// the others wait with them.
void GroupRunner::advance_simdgroup(uint32_t first_thread) {
  ThreadState* states = &states_[first_thread];
  while (const uint32_t lanes = find_waiting_lanes(first_thread)) {
    if (states[std::countr_zero(lanes)].suspended_at == SuspendKind::kYield) {
      has_yielded_ = true;
      return;
    }
    execute_cross_lane({states, lanes});
    resume_lanes(first_thread, lanes);
  }
}

void GroupRunner::advance_simdgroups() {
  for (uint32_t first = 0; first < thread_count_; first += kSimdgroupWidth) {
    advance_simdgroup(first);
  }
}

// Where lanes wait now, they wait at a yield.
void GroupRunner::open_yields() {
  has_yielded_ = false;
  for (uint32_t first = 0; first < thread_count_; first += kSimdgroupWidth) {
    resume_lanes(first, find_waiting_lanes(first));
  }
}

// False when nothing waited.
bool GroupRunner::resume_all(SuspendKind kind) {
  const ThreadState* states = states_.data();
  bool resumed = false;
  bool yielded = false;
  for (uint32_t unit = 0; unit < unit_count_; ++unit) {
    if (states[unit].suspended_at != kind) continue;
    resume(unit);
    resumed = true;
    yielded |= states[unit].suspended_at == SuspendKind::kYield;
  }
  has_yielded_ = yielded;
  return resumed;
}

void GroupRunner::resume_lanes(uint32_t first_thread, uint32_t lanes) {
  for (; lanes != 0; lanes &= lanes - 1) resume(first_thread + std::countr_zero(lanes));
}

void GroupRunner::start(kernel::ResumableEntry entry, uint32_t unit) {
  running_unit_ = unit;
  entry(&context_, &states_[unit], frames_ + frame_bytes_ * unit);
}

void GroupRunner::resume(uint32_t unit) {
  running_unit_ = unit;
  kernel::resume_thread(frames_ + frame_bytes_ * unit);
}

}  // namespace assay::device::cpu
