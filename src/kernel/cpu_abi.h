// The binary interface between generated CPU code and the executor that runs it. codegen emits code
// against these layouts, device/cpu fills and reads them; neither includes the other.
#pragma once

#include <cstdint>

namespace assay::kernel {

inline constexpr uint32_t kSimdgroupWidth = 32;
inline constexpr uint32_t kMaxBufferSlots = 64;
inline constexpr uint32_t kMaxThreadgroupSlots = 32;
inline constexpr uint32_t kMaxThreadsPerThreadgroup = 1024;

// Everything one threadgroup needs, filled by the executor, read by generated code. x, y, z order.
struct GroupContext {
  void* const* buffers = nullptr;         // kMaxBufferSlots pointers; null where nothing is bound
  uint8_t* threadgroup_memory = nullptr;  // arena; static variables first, dynamic arguments behind
  const uint64_t* threadgroup_offsets =
      nullptr;  // per [[threadgroup(n)]] slot: byte offset in the arena
  uint32_t threadgroup_position_in_grid[3] = {};
  uint32_t threads_per_threadgroup[3] = {};           // of this group, smaller at the grid's edge
  uint32_t dispatch_threads_per_threadgroup[3] = {};  // as requested
  uint32_t threads_per_grid[3] = {};
  uint32_t threadgroups_per_grid[3] = {};
  uint32_t streams_results = 0;        // 1: write what is not read again around the caches
  void* printer = nullptr;             // the PrintLog (kernel/print.h) of code that prints
  void* checker = nullptr;             // the GroupChecker (kernel/checks.h) of checked code
  const void* quick_checks = nullptr;  // and its QuickCheck of every site

  // Number of the threadgroup in the grid, x fastest.
  uint64_t group_number() const {
    const uint32_t* position = threadgroup_position_in_grid;
    const uint64_t row = uint64_t{position[2]} * threadgroups_per_grid[1] + position[1];
    return row * threadgroups_per_grid[0] + position[0];
  }
};

// Why a thread stopped. A thread suspends at barriers, at cross-lane operations and, in loops that
// contain either, at the loop's end so that lanes reconverge before the next round.
enum class SuspendKind : uint32_t {
  kFinished = 0,
  kThreadgroupBarrier = 1,
  kReconverge = 2,  // also simdgroup_barrier: wait for the other lanes that can still get here
  kShuffle =
      3,  // operands: value, source lane. result: that lane's value, own value if it is not active
  kBallot = 4,  // operands: predicate (0/1). result: mask of the active lanes where it is 1
  kReduce = 5,  // operands: value. combine and element say how, cluster over how many lanes
  kScanInclusive = 6,
  kScanExclusive = 7,
  kMatrixMultiplyAccumulate = 8,  // operands: a0 a1 b0 b1 c0 c1 (floats). results: d0 d1
  // Everybody else in the group first goes on to a yield or barrier. Opens before barriers do.
  kYield = 9,
};

enum class Combine : uint32_t { kAdd, kMultiply, kMin, kMax, kAnd, kOr, kXor };
enum class Element : uint32_t { kInt32, kUint32, kInt64, kUint64, kFloat32 };

// One thread of a resumable kernel, or one simdgroup or row (see ExecutionForm), which its first
// thread stands for and which asks for nothing but barriers and yields.
// The executor sets position and index; the kernel writes the rest before it suspends and reads
// `results` after it is resumed.
struct ThreadState {
  uint32_t position_in_threadgroup[3];
  uint32_t index_in_threadgroup;
  SuspendKind suspended_at;
  // Number of the suspend point in the kernel. Points inside a loop have smaller numbers than
  // points after it, so that running the lowest number first makes diverged lanes meet again.
  uint32_t site;
  Combine combine;
  Element element;
  uint32_t cluster;  // 32 (simdgroup) or 4 (quadgroup)
  uint32_t padding;
  uint64_t operands[6];  // values are zero-extended bit patterns
  uint64_t results[2];
};

// A kernel that never suspends: runs all threads of the group.
using PlainEntry = void (*)(const GroupContext*);

// A kernel that suspends, by thread, simdgroup or row. With frame == nullptr only returns the bytes
// one frame needs (align 64). Otherwise starts it in `frame` and returns at its first suspension;
// resume it with resume_thread. GroupContext, ThreadState and frame must stay in place until
// suspended_at == kFinished.
using ResumableEntry = uint64_t (*)(const GroupContext*, ThreadState*, void* frame);

// The first word of a started frame is the function that continues the thread.
inline void resume_thread(void* frame) {
  using Resume = void (*)(void*);
  (*static_cast<Resume*>(frame))(frame);
}

}  // namespace assay::kernel
