// See guarded_run.h. The calling thread watches while the work runs on a thread of its own.
#include "msl/guarded_run.h"

#include <llvm/Support/CrashRecoveryContext.h>
#include <pthread.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <mutex>

namespace assay::msl {
namespace {

// Deeply nested sources recurse in the parser. Pages that are not touched cost nothing.
constexpr size_t kStackBytes = 64UL << 20;
constexpr std::chrono::milliseconds kWatchInterval{25};

struct Run {
  const std::function<void()>* work = nullptr;
  std::mutex mutex;
  std::condition_variable finished;
  bool is_finished = false;
  bool survived = false;
};

void* run_on_thread(void* argument) {
  Run& run = *static_cast<Run*>(argument);
  llvm::CrashRecoveryContext context;
  bool survived = context.RunSafely([&] { (*run.work)(); });
  std::lock_guard lock(run.mutex);
  run.survived = survived;
  run.is_finished = true;
  run.finished.notify_one();
  return nullptr;
}

// Tells work that is slow because others use the processor from work that does nothing.
class ProgressWatch {
 public:
  ProgressWatch(pthread_t thread, double limit_seconds) : limit_seconds_(limit_seconds) {
    has_clock_ = pthread_getcpuclockid(thread, &clock_) == 0;
  }

  GuardedOutcome look() {
    timespec now{};
    if (!has_clock_ || clock_gettime(clock_, &now) != 0) return GuardedOutcome::kFinished;
    double used = static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
    auto wall = std::chrono::steady_clock::now();
    if (used > used_seconds_) last_progress_ = wall;
    used_seconds_ = used;
    if (used > limit_seconds_) return GuardedOutcome::kOutOfTime;
    std::chrono::duration<double> idle = wall - last_progress_;
    return idle.count() > limit_seconds_ ? GuardedOutcome::kStuck : GuardedOutcome::kFinished;
  }

 private:
  double limit_seconds_;
  clockid_t clock_ = 0;
  bool has_clock_ = false;
  double used_seconds_ = 0;
  std::chrono::steady_clock::time_point last_progress_ = std::chrono::steady_clock::now();
};

GuardedOutcome watch(Run& run, pthread_t thread, const GuardedLimits& limits) {
  ProgressWatch progress(thread, limits.seconds);
  uint64_t memory_limit = resident_bytes() + limits.memory_bytes;
  GuardedOutcome outcome = GuardedOutcome::kFinished;
  std::unique_lock lock(run.mutex);
  while (!run.finished.wait_for(lock, kWatchInterval, [&] { return run.is_finished; })) {
    if (outcome != GuardedOutcome::kFinished) continue;
    outcome = progress.look();
    if (resident_bytes() > memory_limit) outcome = GuardedOutcome::kOutOfMemory;
    // The crash handler of the work's own thread ends it there.
    if (outcome != GuardedOutcome::kFinished) pthread_kill(thread, SIGABRT);
  }
  if (run.survived) return GuardedOutcome::kFinished;
  return outcome == GuardedOutcome::kFinished ? GuardedOutcome::kCrashed : outcome;
}

}  // namespace

uint64_t resident_bytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  unsigned long long total = 0;
  unsigned long long resident = 0;
  int fields = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

GuardedOutcome run_guarded(const std::function<void()>& work, const GuardedLimits& limits) {
  static const bool kIsEnabled = [] {
    llvm::CrashRecoveryContext::Enable();
    return true;
  }();
  (void)kIsEnabled;
  Run run;
  run.work = &work;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread{};
  bool started = pthread_create(&thread, &attributes, run_on_thread, &run) == 0;
  pthread_attr_destroy(&attributes);
  if (!started) {
    run_on_thread(&run);
    return run.survived ? GuardedOutcome::kFinished : GuardedOutcome::kCrashed;
  }
  GuardedOutcome outcome = watch(run, thread, limits);
  pthread_join(thread, nullptr);
  return outcome;
}

}  // namespace assay::msl
