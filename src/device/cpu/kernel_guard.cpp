// Signal handlers, alternate signal stacks and the jump back. The one file of the CPU device with
// global state: signal handlers belong to the process, not to a device.
#include "device/cpu/kernel_guard.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <memory>
#include <mutex>

#include "device/clock.h"

namespace assay::device::cpu {
namespace {

#if defined(__SANITIZE_THREAD__)
#define ASSAY_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ASSAY_THREAD_SANITIZER 1
#endif
#endif

// SIGURG does nothing in a program that does not ask for it. ThreadSanitizer holds it back until
// the thread calls into the system, which a kernel never does; SIGSYS it delivers at once. It also
// blocks all signals while a handler runs, whatever that handler asks for: the jump has to restore
// the mask, or the thread's next fault ends the process.
#if defined(ASSAY_THREAD_SANITIZER)
constexpr int kStopSignal = SIGSYS;
constexpr int kSaveMask = 1;
#else
constexpr int kStopSignal = SIGURG;
constexpr int kSaveMask = 0;
#endif
constexpr std::array kSignals = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, kStopSignal};

// Room for a signal frame with AVX-512 and AMX state and a handler of the host program behind ours.
constexpr size_t kSignalStackBytes = size_t{64} << 10;

// A thread that waits for the processor gets no second stop signal: each one that arrives before
// the handler of the first has jumped takes another frame of the signal stack. One may still be
// lost to a handler that somebody else has installed meanwhile.
constexpr uint64_t kResendNs = 1'000'000'000;

// One per host thread that has run a kernel.
struct ThreadGuard {
  sigjmp_buf escape;
  std::atomic<bool> inside = false;  // `escape` may be jumped to
  // Meaningful while `inside`; read by the watchdog.
  std::atomic<uint64_t> deadline_ns = kNever;
  std::atomic<uint64_t> stop_sent_ns = 0;  // when; 0 once the handler has dealt with it
  KernelFault fault;
  pthread_t thread = pthread_self();
  uintptr_t stack_end = 0;  // lowest address that may be used, guard pages counted as used
  ThreadGuard* next = nullptr;
};

// The handler reads this one: a plain pointer without lazy allocation.
[[gnu::tls_model("initial-exec")]] constinit thread_local ThreadGuard* t_guard = nullptr;
// The frame of ours that is calling somebody else's handler; 0 when none is.
[[gnu::tls_model("initial-exec")]] constinit thread_local uintptr_t t_passing_frame = 0;

// All threads' guards. Plain data that is never destroyed: threads may outlive static objects.
constinit std::mutex g_guards_mutex;
constinit ThreadGuard* g_guards = nullptr;  // a list through `next`

// Handlers of others for one signal. Written under a mutex, read by our handlers: entries never
// change once they are counted.
struct OtherHandlers {
  static constexpr size_t kMax = 8;
  std::array<struct sigaction, kMax> actions = {};
  std::atomic<size_t> count = 0;

  // What was there before us.
  const struct sigaction& original() const { return actions[0]; }
  // What somebody has set since; we took the signal back from it.
  const struct sigaction& latest() const {
    return actions[count.load(std::memory_order_acquire) - 1];
  }
};
constinit std::mutex g_install_mutex;
constinit std::array<OtherHandlers, NSIG> g_others = {};

uintptr_t find_stack_end() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* begin = nullptr;
  size_t bytes = 0;
  size_t guard_bytes = 0;
  pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_getguardsize(&attributes, &guard_bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<uintptr_t>(begin) + guard_bytes;
}

// A stack for handlers: the thread's own may be what ran over. One that the host program has set
// stays.
class SignalStack {
 public:
  SignalStack() {
    stack_t current = {};
    if (sigaltstack(nullptr, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0) return;
    void* memory = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    const stack_t stack{.ss_sp = memory, .ss_flags = 0, .ss_size = kSignalStackBytes};
    if (sigaltstack(&stack, nullptr) == 0) {
      memory_ = memory;
    } else {
      munmap(memory, kSignalStackBytes);
    }
  }
  ~SignalStack() {
    if (memory_ == nullptr) return;
    stack_t current = {};
    if (sigaltstack(nullptr, &current) == 0 && current.ss_sp == memory_) {
      const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
      sigaltstack(&none, nullptr);
    }
    munmap(memory_, kSignalStackBytes);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  void* memory_ = nullptr;
};

// Sets this thread up for guarded calls, for as long as the thread lives.
class ThreadSetup {
 public:
  ThreadSetup() {
    guard_.stack_end = find_stack_end();
    // A blocked fault would end the process at once.
    sigset_t signals;
    sigemptyset(&signals);
    for (const int signal : kSignals) sigaddset(&signals, signal);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    const std::lock_guard lock(g_guards_mutex);
    guard_.next = g_guards;
    g_guards = &guard_;
    t_guard = &guard_;
  }
  ~ThreadSetup() {
    t_guard = nullptr;
    const std::lock_guard lock(g_guards_mutex);
    ThreadGuard** link = &g_guards;
    while (*link != &guard_) link = &(*link)->next;
    *link = guard_.next;
  }
  ThreadSetup(const ThreadSetup&) = delete;
  ThreadSetup& operator=(const ThreadSetup&) = delete;

 private:
  const SignalStack stack_;
  ThreadGuard guard_;
};

[[gnu::noinline]] ThreadGuard& set_up_this_thread() {
  static thread_local ThreadSetup setup;
  return *t_guard;
}

ThreadGuard& this_thread_guard() { return t_guard != nullptr ? *t_guard : set_up_this_thread(); }

// What the interrupted code was doing.
struct Interrupted {
  std::optional<uintptr_t> address = {};  // of the last page fault
  uintptr_t instruction = 0;
  uintptr_t stack_pointer = 0;
  MemoryAccess access = MemoryAccess::kUnknown;
};

Interrupted read_context(const void* context) {
#if defined(__x86_64__)
  const auto* registers = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  constexpr greg_t kPageFault = 14;
  constexpr greg_t kWriteBit = 2;
  constexpr greg_t kFetchBit = 16;
  Interrupted at{.instruction = static_cast<uintptr_t>(registers[REG_RIP]),
                 .stack_pointer = static_cast<uintptr_t>(registers[REG_RSP])};
  if (registers[REG_TRAPNO] == kPageFault) {
    at.address = static_cast<uintptr_t>(registers[REG_CR2]);
    const greg_t error = registers[REG_ERR];
    at.access = (error & kFetchBit) != 0   ? MemoryAccess::kExecute
                : (error & kWriteBit) != 0 ? MemoryAccess::kWrite
                                           : MemoryAccess::kRead;
  }
  return at;
#elif defined(__aarch64__)
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  return {.instruction = machine.pc, .stack_pointer = machine.sp};
#else
  return {};
#endif
}

// The stack grows down. Code that runs over its end has moved the stack pointer there first: other
// memory near the end of the stack, such as a buffer's guard page, is touched from elsewhere.
bool is_stack_overflow(const ThreadGuard& guard, const Interrupted& at, uintptr_t address) {
  constexpr uintptr_t kPageBytes = 4096;
  const uintptr_t end = guard.stack_end + kPageBytes;
  return guard.stack_end != 0 && address < end && at.stack_pointer != 0 && at.stack_pointer < end;
}

// The address is not told when it was not even canonical (SI_KERNEL), or when the signal was raised
// again; then the processor's own record may still have it.
KernelFault describe_fault(const ThreadGuard& guard, const siginfo_t& info, const void* context) {
  const Interrupted at = read_context(context);
  KernelFault fault{.access = at.access, .instruction = at.instruction};
  if (info.si_signo == SIGFPE) {
    fault.kind = FaultKind::kDivision;
  } else if (info.si_signo == SIGILL) {
    fault.kind = FaultKind::kInstruction;
  } else {
    const bool is_told = info.si_code > 0 && info.si_code != SI_KERNEL;
    fault.address = is_told ? reinterpret_cast<uintptr_t>(info.si_addr) : at.address;
    if (fault.address && is_stack_overflow(guard, at, *fault.address)) {
      fault.kind = FaultKind::kStack;
    }
  }
  return fault;
}

[[noreturn]] void leave_guarded_call(ThreadGuard& guard, const KernelFault& fault) {
  guard.inside.store(false, std::memory_order_relaxed);
  guard.fault = fault;
  siglongjmp(guard.escape, 1);
}

// True inside a handler that we have called and that calls or raises back to us. A handler that
// jumped away instead of returning leaves the mark behind, but a signal stack begins afresh above
// it.
bool is_passed_back(uintptr_t frame) {
  constexpr uintptr_t kReachBytes = kSignalStackBytes;
  return frame < t_passing_frame && t_passing_frame - frame < kReachBytes;
}

void call_default(int signal, const siginfo_t& info) {
  // The stop signal does nothing by default; a fault happens again and ends the process.
  if (signal == kStopSignal) return;
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  sigaction(signal, &standard, nullptr);
  if (info.si_code <= 0) raise(signal);
}

// Does what would have happened without us. A signal that was sent goes to the oldest handler: it
// is how newer ones pass on what they do not want.
void call_others(int signal, siginfo_t* info, void* context) {
  const auto frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  const OtherHandlers& others = g_others[static_cast<size_t>(signal)];
  const bool is_sent = info->si_code <= 0;
  const struct sigaction& other =
      is_sent || is_passed_back(frame) ? others.original() : others.latest();
  const bool is_plain = (other.sa_flags & SA_SIGINFO) == 0;
  if (is_plain && other.sa_handler == SIG_IGN && is_sent) return;
  if (is_plain && (other.sa_handler == SIG_DFL || other.sa_handler == SIG_IGN)) {
    call_default(signal, *info);
    return;
  }
  sigset_t blocked = other.sa_mask;
  if ((other.sa_flags & SA_NODEFER) == 0) sigaddset(&blocked, signal);
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  t_passing_frame = frame;
  if (is_plain) {
    other.sa_handler(signal);
  } else {
    other.sa_sigaction(signal, info, context);
  }
  t_passing_frame = 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

// Caused by the code that runs, not sent by somebody; also when a handler that came before ours
// raised the fault again.
bool is_own_fault(const siginfo_t& info) {
  return info.si_code > 0 || (info.si_code == SI_TKILL && info.si_pid == getpid());
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  ThreadGuard* guard = t_guard;
  if (guard != nullptr && guard->inside.load(std::memory_order_relaxed) && is_own_fault(*info)) {
    leave_guarded_call(*guard, describe_fault(*guard, *info, context));
  }
  call_others(signal, info, context);
  errno = saved_errno;
}

// The deadline is looked at again: the signal may arrive after the call it was meant for.
void on_stop(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  ThreadGuard* guard = t_guard;
  if (guard != nullptr && guard->inside.load(std::memory_order_relaxed) &&
      guard->deadline_ns.load(std::memory_order_relaxed) <= now_ns()) {
    // In this order: another signal may follow as soon as this one counts as dealt with.
    guard->inside.store(false, std::memory_order_relaxed);
    guard->stop_sent_ns.store(0, std::memory_order_release);
    leave_guarded_call(
        *guard, {.kind = FaultKind::kTimeLimit, .instruction = read_context(context).instruction});
  }
  if (guard != nullptr) guard->stop_sent_ns.store(0, std::memory_order_relaxed);
  call_others(signal, info, context);
  errno = saved_errno;
}

// Handlers outlive every device: the library that holds them must never be unloaded.
void pin_library() {
  Dl_info info = {};
  if (dladdr(reinterpret_cast<const void*>(&on_fault), &info) == 0) return;
  dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

bool is_same_handler(const struct sigaction& a, const struct sigaction& b) {
  return a.sa_sigaction == b.sa_sigaction && a.sa_flags == b.sa_flags;
}

// No signal is blocked while a handler runs (SA_NODEFER): after the jump out of it the thread's
// mask is what it was, without the system call that restoring it would take for every guarded call.
void install_handler(int signal) {
  struct sigaction action = {};
  action.sa_sigaction = signal == kStopSignal ? on_stop : on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigemptyset(&action.sa_mask);
  struct sigaction current = {};
  sigaction(signal, nullptr, &current);
  if (current.sa_sigaction == action.sa_sigaction) return;
  OtherHandlers& others = g_others[static_cast<size_t>(signal)];
  const size_t count = others.count.load(std::memory_order_relaxed);
  const bool is_known = count != 0 && is_same_handler(others.latest(), current);
  // A program that keeps changing its handlers keeps the last one.
  if (!is_known && count == OtherHandlers::kMax) return;
  if (!is_known) {
    others.actions[count] = current;
    others.count.store(count + 1, std::memory_order_release);
  }
  sigaction(signal, &action, nullptr);
}

}  // namespace

std::optional<uint64_t> remaining_stack_bytes() {
  const uintptr_t end = this_thread_guard().stack_end;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  if (end == 0 || here < end) return std::nullopt;
  return here - end;
}

void install_fault_handlers() {
  const std::lock_guard lock(g_install_mutex);
  static const bool kIsPinned = (pin_library(), true);
  static_cast<void>(kIsPinned);
  for (const int signal : kSignals) install_handler(signal);
}

std::optional<KernelFault> detail::run_guarded(GuardedBody body, void* data, uint64_t deadline_ns) {
  ThreadGuard& guard = this_thread_guard();
  if (sigsetjmp(guard.escape, kSaveMask) != 0) return guard.fault;
  guard.deadline_ns.store(deadline_ns, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  guard.inside.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  body(data);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  guard.inside.store(false, std::memory_order_relaxed);
  return std::nullopt;
}

OverdueCalls stop_overdue_calls(uint64_t now_ns) {
  OverdueCalls calls;
  // Held while signals are sent: a thread cannot end meanwhile.
  const std::lock_guard lock(g_guards_mutex);
  for (ThreadGuard* guard = g_guards; guard != nullptr; guard = guard->next) {
    if (!guard->inside.load(std::memory_order_relaxed)) continue;
    const uint64_t deadline_ns = guard->deadline_ns.load(std::memory_order_relaxed);
    if (deadline_ns > now_ns) {
      calls.next_deadline_ns = std::min(calls.next_deadline_ns, deadline_ns);
      continue;
    }
    calls.found = true;
    const uint64_t sent_ns = guard->stop_sent_ns.load(std::memory_order_acquire);
    if (sent_ns != 0 && now_ns < sent_ns + kResendNs) continue;
    guard->stop_sent_ns.store(now_ns, std::memory_order_relaxed);
    pthread_kill(guard->thread, kStopSignal);
  }
  return calls;
}

}  // namespace assay::device::cpu
