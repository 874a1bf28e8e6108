// Loops are published in a list; idle workers join the first one with indices left. A caller wakes
// at most one sleeping worker, and each worker that finds more to do wakes the next, so that a
// caller pays for one wake-up however many workers there are.
#include "base/thread_pool.h"

#include <algorithm>
#include <chrono>

namespace assay::base {

namespace {

// How long a thread looks for work or for its helpers' end before it sleeps: a wake-up from sleep
// costs several microseconds, so back-to-back small loops should find the workers awake.
constexpr std::chrono::microseconds kSpinTime{20};

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#else
  std::this_thread::yield();
#endif
}

template <typename Done>
bool spin_until(Done done) {
  const auto end = std::chrono::steady_clock::now() + kSpinTime;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return true;
      pause_briefly();
    }
  } while (std::chrono::steady_clock::now() < end);
  return false;
}

}  // namespace

ThreadPool::ThreadPool(unsigned worker_count) {
  workers_.reserve(worker_count);
  for (unsigned i = 0; i < worker_count; ++i) {
    workers_.emplace_back([this] { run_worker(); });
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    loops_added_.fetch_add(1, std::memory_order_relaxed);
  }
  work_added_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(Loop& loop) {
  bool wake = false;
  {
    std::lock_guard lock(mutex_);
    loops_.push_back(&loop);
    loops_added_.fetch_add(1, std::memory_order_release);
    wake = sleeping_ > 0;
  }
  if (wake) work_added_.notify_one();
  take_ranges(loop);
  wait_for_helpers(loop);
}

void ThreadPool::wait_for_helpers(Loop& loop) {
  std::unique_lock lock(mutex_);
  loops_.erase(std::find(loops_.begin(), loops_.end(), &loop));
  if (loop.helpers.load(std::memory_order_acquire) == 0) return;

  // From here on no worker can join. A worker leaves with its last touch of the loop, so seeing
  // zero without the lock is enough to let the loop's storage go.
  lock.unlock();
  auto left = [&loop] { return loop.helpers.load(std::memory_order_acquire) == 0; };
  if (spin_until(left)) return;
  lock.lock();
  loop.caller_sleeps = true;
  helpers_left_.wait(lock, left);
}

void ThreadPool::take_ranges(Loop& loop) {
  const uint64_t shares = 4 * (uint64_t{worker_count()} + 1);
  uint64_t begin = loop.next.load(std::memory_order_relaxed);
  while (begin < loop.count) {
    const uint64_t size = std::max<uint64_t>(1, (loop.count - begin) / shares);
    if (loop.next.compare_exchange_weak(begin, begin + size, std::memory_order_relaxed)) {
      loop.call(loop.body, begin, begin + size);
      begin = loop.next.load(std::memory_order_relaxed);
    }
  }
}

ThreadPool::Loop* ThreadPool::find_open_loop() const {
  for (Loop* loop : loops_) {
    if (loop->next.load(std::memory_order_relaxed) < loop->count) return loop;
  }
  return nullptr;
}

void ThreadPool::spin_for_loop(uint64_t seen) {
  spin_until([&] { return loops_added_.load(std::memory_order_acquire) != seen; });
}

void ThreadPool::run_worker() {
  std::unique_lock lock(mutex_);
  bool has_spun = false;
  while (true) {
    if (Loop* loop = find_open_loop()) {
      loop->helpers.fetch_add(1, std::memory_order_relaxed);
      const bool wake = sleeping_ > 0;
      lock.unlock();
      if (wake) work_added_.notify_one();
      take_ranges(*loop);
      lock.lock();
      const bool caller_sleeps = loop->caller_sleeps;
      const bool is_last = loop->helpers.fetch_sub(1, std::memory_order_release) == 1;
      if (is_last && caller_sleeps) helpers_left_.notify_all();
      has_spun = false;
    } else if (stopping_) {
      return;
    } else if (!has_spun) {
      const uint64_t seen = loops_added_.load(std::memory_order_relaxed);
      lock.unlock();
      spin_for_loop(seen);
      lock.lock();
      has_spun = true;
    } else {
      ++sleeping_;
      work_added_.wait(lock);
      --sleeping_;
      has_spun = false;
    }
  }
}

}  // namespace assay::base
