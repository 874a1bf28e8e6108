// A fixed set of worker threads for parallel loops. The calling thread takes part in its own loop,
// so a loop always ends, also without workers, inside another loop and next to other callers.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace assay::base {

// Thread-safe. Destroy it only after every parallel_for has returned.
class ThreadPool {
 public:
  // Starts `worker_count` threads; callers add themselves. 0 makes every loop run on its caller.
  explicit ThreadPool(unsigned worker_count);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned worker_count() const { return static_cast<unsigned>(workers_.size()); }

  // Calls fn(index) once for each index in [0, count), in any order and on several threads, and
  // returns when all calls have returned. Writes of fn are visible to the caller. fn must not
  // throw.
  template <typename Fn>
  void parallel_for(uint64_t count, Fn&& fn) {
    parallel_for_ranges(count, [&fn](uint64_t begin, uint64_t end) {
      for (uint64_t index = begin; index < end; ++index) fn(index);
    });
  }

  // The same with fn(begin, end) for disjoint ranges, for loops that keep state per range. Ranges
  // are large at first and shrink to one index, so that uneven work still ends together.
  template <typename Fn>
  void parallel_for_ranges(uint64_t count, Fn&& fn) {
    if (count == 0) return;
    if (count == 1 || workers_.empty()) {
      fn(uint64_t{0}, count);
      return;
    }
    using Body = std::remove_reference_t<Fn>;
    Loop loop{.count = count,
              .body = const_cast<void*>(static_cast<const void*>(std::addressof(fn))),
              .call = [](void* body, uint64_t begin, uint64_t end) {
                (*static_cast<Body*>(body))(begin, end);
              }};
    run(loop);
  }

 private:
  // One parallel_for in progress; lives on its caller's stack.
  struct Loop {
    uint64_t count;
    void* body;
    void (*call)(void* body, uint64_t begin, uint64_t end);
    std::atomic<uint64_t> next = 0;     // first index nobody has taken
    std::atomic<unsigned> helpers = 0;  // workers inside the loop; changed under mutex_
    bool caller_sleeps = false;         // guarded by mutex_
  };

  void run(Loop& loop);
  void wait_for_helpers(Loop& loop);
  void take_ranges(Loop& loop);
  void run_worker();
  Loop* find_open_loop() const;
  void spin_for_loop(uint64_t seen);

  std::mutex mutex_;
  std::condition_variable work_added_;
  std::condition_variable helpers_left_;
  std::vector<Loop*> loops_;               // guarded by mutex_
  unsigned sleeping_ = 0;                  // workers in work_added_; guarded by mutex_
  bool stopping_ = false;                  // guarded by mutex_
  std::atomic<uint64_t> loops_added_ = 0;  // changes when an idle worker should look again
  std::vector<std::thread> workers_;
};

}  // namespace assay::base
