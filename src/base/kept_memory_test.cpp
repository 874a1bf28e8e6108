// Lists in memory that others have left.
#include "base/kept_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <thread>

namespace assay::base {
namespace {

TEST(KeptMemory, is_never_given_twice) {
  constexpr size_t kBytes = 5000;
  std::vector<void*> blocks;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) {
      blocks.push_back(take_memory(kBytes));
      std::memset(blocks.back(), i, kBytes);
    }
    for (int i = 0; i < 20; ++i) {
      const auto* bytes = static_cast<const unsigned char*>(blocks[static_cast<size_t>(i)]);
      ASSERT_EQ(bytes[0], i);
      ASSERT_EQ(bytes[kBytes - 1], i);
    }
    for (void* block : blocks) give_memory(block, kBytes);
    blocks.clear();
  }
}

TEST(KeptMemory, takes_lists_of_every_size) {
  for (const size_t count : {0U, 1U, 100U, 5'000U, 3'000'000U}) {
    for (int round = 0; round < 2; ++round) {
      KeptVector<int> list(count, 7);
      list.push_back(8);
      ASSERT_EQ(list.size(), count + 1);
      ASSERT_EQ(list.front(), count == 0 ? 8 : 7);
      ASSERT_EQ(list.back(), 8);
    }
  }
}

// More than it keeps: the rest goes back to the system, and nothing is lost.
TEST(KeptMemory, forgets_sizes_that_nobody_wants) {
  for (size_t bytes = 1 << 20; bytes < (1 << 20) + 64; ++bytes) {
    give_memory(take_memory(bytes), bytes);
  }
  KeptVector<char> list(1 << 20, 'x');
  EXPECT_EQ(list[12345], 'x');
}

TEST(KeptMemory, serves_threads_at_once) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([thread] {
      for (int round = 0; round < 300; ++round) {
        const KeptVector<int> list(1024, thread);
        for (const int value : list) ASSERT_EQ(value, thread);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace assay::base
