#include "base/thread_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

namespace assay::base {
namespace {

// How often each index of one loop was visited. Plain integers: TSan sees any doubled index.
std::vector<int> visits_of(ThreadPool& pool, uint64_t count) {
  std::vector<int> visits(count, 0);
  pool.parallel_for(count, [&](uint64_t index) { ++visits[index]; });
  return visits;
}

TEST(ThreadPool, visits_every_index_once_for_odd_counts_and_pool_sizes) {
  for (unsigned workers : {0u, 1u, 3u, 7u}) {
    ThreadPool pool(workers);
    EXPECT_EQ(pool.worker_count(), workers);
    for (uint64_t count : {0, 1, 2, 3, 31, 33, 1023, 10007}) {
      EXPECT_EQ(visits_of(pool, count), std::vector<int>(count, 1))
          << count << " indices, " << workers << " workers";
    }
  }
}

TEST(ThreadPool, ranges_cover_the_count_without_overlap_and_end_with_single_indices) {
  ThreadPool pool(2);
  std::vector<int> visits(997, 0);
  std::atomic<uint64_t> smallest = ~uint64_t{0};
  pool.parallel_for_ranges(997, [&](uint64_t begin, uint64_t end) {
    ASSERT_LT(begin, end);
    uint64_t seen = smallest;
    while (end - begin < seen && !smallest.compare_exchange_weak(seen, end - begin)) {
    }
    for (uint64_t index = begin; index < end; ++index) ++visits[index];
  });
  EXPECT_EQ(visits, std::vector<int>(997, 1));
  EXPECT_EQ(smallest, 1u);
}

TEST(ThreadPool, uses_workers_and_the_caller) {
  ThreadPool pool(2);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> arrived = 0;
  // Each of the three indices waits for the others, so they must run on three threads.
  pool.parallel_for(3, [&](uint64_t) {
    {
      std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    }
    arrived.fetch_add(1);
    while (arrived.load() < 3) std::this_thread::yield();
  });
  EXPECT_EQ(threads.size(), 3u);
  EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
}

TEST(ThreadPool, wakes_sleeping_workers) {
  ThreadPool pool(3);
  for (int round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<int> arrived = 0;
    pool.parallel_for(4, [&](uint64_t) {
      arrived.fetch_add(1);
      while (arrived.load() < 4) std::this_thread::yield();
    });
    EXPECT_EQ(arrived, 4);
  }
}

TEST(ThreadPool, waits_for_a_slow_worker) {
  ThreadPool pool(1);
  for (int round = 0; round < 10; ++round) {
    std::vector<int> done(2, 0);
    std::atomic<int> arrived = 0;
    const auto caller = std::this_thread::get_id();
    pool.parallel_for(2, [&](uint64_t index) {
      arrived.fetch_add(1);
      while (arrived.load() < 2) std::this_thread::yield();
      if (std::this_thread::get_id() != caller) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
      }
      done[index] = 1;
    });
    EXPECT_EQ(std::accumulate(done.begin(), done.end(), 0), 2);
  }
}

TEST(ThreadPool, serves_several_callers_at_once) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  std::atomic<int> wrong = 0;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&pool, &wrong, caller] {
      for (int round = 0; round < 300; ++round) {
        const uint64_t count = 1 + (round * 7 + caller * 13) % 97;
        if (visits_of(pool, count) != std::vector<int>(count, 1)) ++wrong;
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadPool, runs_loops_inside_loops) {
  ThreadPool pool(2);
  std::vector<uint64_t> sums(17, 0);
  pool.parallel_for(sums.size(), [&](uint64_t outer) {
    std::atomic<uint64_t> sum = 0;
    pool.parallel_for(outer + 1, [&](uint64_t inner) { sum += inner; });
    sums[outer] = sum;
  });
  for (uint64_t outer = 0; outer < sums.size(); ++outer) {
    EXPECT_EQ(sums[outer], outer * (outer + 1) / 2);
  }
}

TEST(ThreadPool, starts_and_stops_quickly_many_times) {
  for (int round = 0; round < 50; ++round) {
    ThreadPool pool(2);
    EXPECT_EQ(visits_of(pool, 5), std::vector<int>(5, 1));
  }
}

}  // namespace
}  // namespace assay::base
