// Size classes, reuse, limits and eviction of the memory pool.
#include "device/memory_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "device/host_memory.h"

namespace assay::device {
namespace {

constexpr uint64_t kMiB = uint64_t{1} << 20;

MemoryPool make_pool(PoolLimits limits) { return {std::make_unique<HostMemory>(), limits}; }

// Has no memory for anyone.
class EmptySource : public MemorySource {
 public:
  MemoryBlock allocate(uint64_t bytes) override { return {nullptr, bytes, false}; }
  void release(const MemoryBlock&) override { FAIL() << "nothing was given out"; }
};

TEST(MemoryPool, rounds_sizes_up_by_at_most_a_quarter_plus_slack) {
  for (uint64_t bytes = 0; bytes < 100'000; bytes += 37) {
    const uint64_t rounded = MemoryPool::class_bytes(bytes);
    EXPECT_GE(rounded, bytes + MemoryPool::kSlackBytes);
    EXPECT_LE(rounded, std::max<uint64_t>(256, (bytes + MemoryPool::kSlackBytes) * 5 / 4));
    EXPECT_EQ(rounded % 64, 0U);
    EXPECT_EQ(MemoryPool::class_bytes(rounded - MemoryPool::kSlackBytes), rounded);
  }
}

TEST(MemoryPool, refuses_sizes_that_do_not_fit_64_bits) {
  MemoryPool pool = make_pool({UINT64_MAX, 0});
  for (const uint64_t bytes : {UINT64_MAX, UINT64_MAX - 64, uint64_t{1} << 63}) {
    EXPECT_EQ(MemoryPool::class_bytes(bytes), 0U);
    EXPECT_EQ(pool.acquire(bytes).block.data, nullptr);
  }
}

TEST(MemoryPool, reuses_memory_for_another_size_of_the_same_class) {
  MemoryPool pool = make_pool({100 * kMiB, 100 * kMiB});
  const auto first = pool.acquire(1000);
  EXPECT_FALSE(first.reused);
  pool.release(first.block);
  EXPECT_EQ(pool.statistics().active_bytes, 0U);
  EXPECT_EQ(pool.statistics().cached_bytes, first.block.bytes);
  const auto second = pool.acquire(1100);
  EXPECT_TRUE(second.reused);
  EXPECT_EQ(second.block.data, first.block.data);
  EXPECT_EQ(pool.statistics().cached_bytes, 0U);
  const auto other_class = pool.acquire(5000);
  EXPECT_FALSE(other_class.reused);
  pool.release(second.block);
  pool.release(other_class.block);
}

TEST(MemoryPool, counts_active_cached_and_peak_bytes) {
  MemoryPool pool = make_pool({100 * kMiB, 100 * kMiB});
  const auto a = pool.acquire(kMiB);
  const auto b = pool.acquire(3 * kMiB);
  const uint64_t both = a.block.bytes + b.block.bytes;
  EXPECT_EQ(pool.statistics().active_bytes, both);
  pool.release(a.block);
  pool.release(b.block);
  EXPECT_EQ(pool.statistics().active_bytes, 0U);
  EXPECT_EQ(pool.statistics().cached_bytes, both);
  EXPECT_EQ(pool.statistics().peak_bytes, both);
  pool.trim();
  EXPECT_EQ(pool.statistics().cached_bytes, 0U);
  EXPECT_EQ(pool.statistics().peak_bytes, both);
}

TEST(MemoryPool, gives_the_longest_unused_memory_back_first) {
  const uint64_t small = MemoryPool::class_bytes(100'000);
  const uint64_t large = MemoryPool::class_bytes(200'000);
  MemoryPool pool = make_pool({100 * kMiB, small + large});
  const auto oldest = pool.acquire(200'000);
  const auto middle = pool.acquire(100'000);
  const auto newest = pool.acquire(200'000);
  pool.release(oldest.block);
  pool.release(middle.block);
  EXPECT_EQ(pool.statistics().cached_bytes, small + large);
  pool.release(newest.block);
  EXPECT_EQ(pool.statistics().cached_bytes, small + large);
  const auto again = pool.acquire(200'000);
  EXPECT_EQ(again.block.data, newest.block.data);
  const auto fresh = pool.acquire(200'000);
  EXPECT_FALSE(fresh.reused);
  pool.release(again.block);
  pool.release(fresh.block);
}

TEST(MemoryPool, keeps_nothing_without_a_cache) {
  MemoryPool pool = make_pool({100 * kMiB, 0});
  pool.release(pool.acquire(5000).block);
  EXPECT_EQ(pool.statistics().cached_bytes, 0U);
  const auto empty = pool.acquire(0);
  EXPECT_NE(empty.block.data, nullptr);
  EXPECT_EQ(pool.statistics().active_bytes, MemoryPool::class_bytes(0));
  pool.release(empty.block);
}

TEST(MemoryPool, holds_to_its_limit_of_active_bytes) {
  MemoryPool pool = make_pool({2 * kMiB, 0});
  const auto first = pool.acquire(kMiB);
  ASSERT_NE(first.block.data, nullptr);
  EXPECT_EQ(pool.acquire(kMiB).block.data, nullptr);
  pool.release(first.block);
  const auto second = pool.acquire(kMiB);
  EXPECT_NE(second.block.data, nullptr);
  pool.release(second.block);
}

TEST(MemoryPool, counts_nothing_for_memory_the_system_refused) {
  MemoryPool pool(std::make_unique<EmptySource>(), {100 * kMiB, 100 * kMiB});
  EXPECT_EQ(pool.acquire(1000).block.data, nullptr);
  EXPECT_EQ(pool.statistics().active_bytes, 0U);
}

TEST(MemoryPool, aligns_to_pages_and_leaves_slack_to_read) {
  MemoryPool pool = make_pool({100 * kMiB, 100 * kMiB});
  for (const uint64_t bytes : {uint64_t{0}, uint64_t{1}, uint64_t{4000}, uint64_t{5000}, kMiB - 64,
                               kMiB + 1, 9 * kMiB + 5}) {
    const auto acquired = pool.acquire(bytes);
    const auto address = reinterpret_cast<uintptr_t>(acquired.block.data);
    EXPECT_EQ(address % (bytes < 4096 ? 64 : 4096), 0U) << bytes;
    std::memset(acquired.block.data, 1, bytes + MemoryPool::kSlackBytes);
    pool.release(acquired.block);
  }
}

TEST(MemoryPool, serves_many_threads_at_once) {
  MemoryPool pool = make_pool({100 * kMiB, kMiB});
  std::vector<std::thread> threads;
  for (uint64_t thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&pool, thread] {
      for (uint64_t round = 0; round < 500; ++round) {
        const auto acquired = pool.acquire((round * 7919 + thread * 31) % 50'000);
        std::memset(acquired.block.data, static_cast<int>(thread), 64);
        pool.release(acquired.block);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(pool.statistics().active_bytes, 0U);
  EXPECT_LE(pool.statistics().cached_bytes, kMiB);
}

}  // namespace
}  // namespace assay::device
