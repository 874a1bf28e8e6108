// Keeps the process alive when kernel code misbehaves: a crash inside a guarded call, or a call
// that outlasts its deadline, ends that call and nothing else. How a fault is told is left to
// fault_report.h, when to look for overdue calls to watchdog.h.
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

namespace assay::device::cpu {

enum class FaultKind : uint8_t {
  kMemory,       // an address that may not be read, written or executed
  kStack,        // private memory ran over the end of the host thread's stack
  kDivision,     // an integer division the processor refuses
  kInstruction,  // an instruction it does not have, or a trap of the compiler
  kTimeLimit,
};

enum class MemoryAccess : uint8_t { kUnknown, kRead, kWrite, kExecute };

struct KernelFault {
  FaultKind kind = FaultKind::kMemory;
  // Of kMemory and kStack. Nothing when the processor does not tell: it does so only for addresses
  // that a page could have.
  std::optional<uintptr_t> address = {};
  MemoryAccess access = MemoryAccess::kUnknown;
  // Where in the code it happened, for whoever has a line table; 0 when unknown.
  uintptr_t instruction = 0;
};

// No deadline.
inline constexpr uint64_t kNever = UINT64_MAX;

// What is left of the calling thread's stack; nothing when the system does not tell.
std::optional<uint64_t> remaining_stack_bytes();

// Makes this process catch the signals of faults. Handlers of others, also of later ones that a new
// call takes the signals back from (LLVM has some of its own), get every fault outside of guarded
// calls. Thread-safe.
void install_fault_handlers();

namespace detail {
using GuardedBody = void (*)(void* data);
std::optional<KernelFault> run_guarded(GuardedBody body, void* data, uint64_t deadline_ns);
}  // namespace detail

// Calls `body` on this thread and returns what ended it early, if anything did. `deadline_ns` is a
// time of now_ns(). A fault drops the frames below this call as they are: nothing in there may take
// a lock, allocate, or rely on a destructor. Must not be nested.
template <typename Body>
std::optional<KernelFault> run_guarded(Body&& body, uint64_t deadline_ns = kNever) {
  using Plain = std::remove_reference_t<Body>;
  return detail::run_guarded([](void* data) { (*static_cast<Plain*>(data))(); },
                             const_cast<void*>(static_cast<const void*>(&body)), deadline_ns);
}

struct OverdueCalls {
  bool found = false;                  // some call is past its deadline and was told to end
  uint64_t next_deadline_ns = kNever;  // of the calls that are still in time
};

// Ends the guarded calls of all threads whose deadline is over. A thread may need another attempt
// when it was just between two calls.
OverdueCalls stop_overdue_calls(uint64_t now_ns);

}  // namespace assay::device::cpu
