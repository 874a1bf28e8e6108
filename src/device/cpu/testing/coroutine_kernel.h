// Kernels for tests, written as C++ coroutines: they follow kernel/cpu_abi.h without a compiler of
// ours, because a coroutine's frame also starts with the function that continues it.
#pragma once

#include <bit>
#include <coroutine>
#include <cstddef>
#include <cstdint>

#include "kernel/cpu_abi.h"

namespace assay::device::cpu::testing {

// Where the frame goes. Without memory the coroutine only tells its frame's size.
struct FrameSlot {
  void* memory = nullptr;
  uint64_t* bytes = nullptr;
};

// What a test kernel works with: its parameters and the operations it may suspend at. Sites follow
// the rule of ThreadState::site.
struct KernelThread {
  const kernel::GroupContext* group = nullptr;
  kernel::ThreadState* state = nullptr;

  struct Suspension {
    kernel::ThreadState* state;
    bool await_ready() const { return false; }
    void await_suspend(std::coroutine_handle<>) const {}
    uint64_t await_resume() const { return state->results[0]; }
  };
  Suspension suspend(kernel::SuspendKind kind, uint32_t site, uint64_t first = 0,
                     uint64_t second = 0) const {
    state->suspended_at = kind;
    state->site = site;
    state->cluster = kernel::kSimdgroupWidth;
    state->operands[0] = first;
    state->operands[1] = second;
    return {state};
  }
  Suspension barrier(uint32_t site) const {
    return suspend(kernel::SuspendKind::kThreadgroupBarrier, site);
  }
  Suspension yield(uint32_t site) const { return suspend(kernel::SuspendKind::kYield, site); }
  Suspension reconverge(uint32_t site) const {
    return suspend(kernel::SuspendKind::kReconverge, site);
  }
  Suspension ballot(uint32_t site, bool predicate) const {
    return suspend(kernel::SuspendKind::kBallot, site, predicate ? 1 : 0);
  }
  Suspension shuffle(uint32_t site, uint32_t value, uint32_t lane) const {
    return suspend(kernel::SuspendKind::kShuffle, site, value, lane);
  }
  Suspension sum(uint32_t site, uint32_t value) const {
    state->combine = kernel::Combine::kAdd;
    state->element = kernel::Element::kUint32;
    return suspend(kernel::SuspendKind::kReduce, site, value);
  }

  template <typename T>
  T* buffer(uint32_t slot) const {
    return static_cast<T*>(group->buffers[slot]);
  }
  template <typename T>
  T* threadgroup(uint32_t slot) const {
    return reinterpret_cast<T*>(group->threadgroup_memory + group->threadgroup_offsets[slot]);
  }
  uint32_t index() const { return state->index_in_threadgroup; }
  uint32_t lane() const { return index() % kernel::kSimdgroupWidth; }
  uint32_t group_threads() const {
    return group->threads_per_threadgroup[0] * group->threads_per_threadgroup[1] *
           group->threads_per_threadgroup[2];
  }
  // Position along x in the grid.
  uint32_t position() const {
    return group->threadgroup_position_in_grid[0] * group->dispatch_threads_per_threadgroup[0] +
           state->position_in_threadgroup[0];
  }
};

struct KernelCoroutine {
  void* frame = nullptr;

  // The language looks for this name.
  struct promise_type {  // NOLINT(readability-identifier-naming)
    kernel::ThreadState* state;
    promise_type(const KernelThread& thread, FrameSlot) : state(thread.state) {}

    static void* operator new(size_t bytes, const KernelThread&, FrameSlot slot) noexcept {
      if (slot.bytes != nullptr) *slot.bytes = bytes;
      return slot.memory;
    }
    // The executor owns the memory.
    static void operator delete(void*) {}
    static KernelCoroutine get_return_object_on_allocation_failure() { return {}; }

    KernelCoroutine get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this).address()};
    }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept {
      state->suspended_at = kernel::SuspendKind::kFinished;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
};

// The entry point of a test kernel `KernelCoroutine f(KernelThread, FrameSlot)`.
template <auto Function>
uint64_t resumable_entry(const kernel::GroupContext* group, kernel::ThreadState* state,
                         void* frame) {
  uint64_t bytes = 0;
  const KernelCoroutine coroutine = Function(KernelThread{group, state}, FrameSlot{frame, &bytes});
  // The compiler believes that nobody else knows memory from operator new, and would drop what the
  // executor reads from the frame.
  asm volatile("" : : "r"(coroutine.frame) : "memory");
  return bytes;
}

}  // namespace assay::device::cpu::testing
