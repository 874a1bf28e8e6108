// Objects in memory that others have left, also from other threads.
#include "base/recycled.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

namespace assay::base {
namespace {

struct Counted {
  explicit Counted(int& alive) : alive(alive) { ++alive; }
  ~Counted() { --alive; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  int& alive;
  std::array<int, 7> values = {};
};

TEST(Recycled, gives_the_memory_of_the_last_one_to_the_next) {
  int alive = 0;
  auto first = make_recycled<Counted>(alive);
  const void* place = first.get();
  first.reset();
  EXPECT_EQ(alive, 0);
  auto second = make_recycled<Counted>(alive);
  EXPECT_EQ(alive, 1);
  EXPECT_EQ(second.get() == place, kRecycles);
  EXPECT_EQ(second->values[3], 0) << "made anew";
}

TEST(Recycled, never_gives_memory_twice) {
  int alive = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::shared_ptr<Counted>> all;
    for (int i = 0; i < 1000; ++i) {
      all.push_back(make_recycled<Counted>(alive));
      all.back()->values.fill(i);
    }
    for (int i = 0; i < 1000; ++i) ASSERT_EQ(all[static_cast<size_t>(i)]->values[6], i);
    EXPECT_EQ(alive, 1000);
  }
  EXPECT_EQ(alive, 0);
}

// Under the sanitizers also: nothing is left when the threads have gone.
TEST(Recycled, may_be_dropped_by_another_thread) {
  std::vector<std::shared_ptr<std::array<int, 9>>> all;
  for (int round = 0; round < 4; ++round) {
    std::thread([&] {
      for (int i = 0; i < 500; ++i) {
        all.push_back(make_recycled<std::array<int, 9>>());
        all.back()->fill(i);
      }
    }).join();
    for (size_t i = 0; i < 500; ++i) ASSERT_EQ((*all[i])[8], static_cast<int>(i));
    std::thread([&] { all.clear(); }).join();
  }
}

struct DropsLast {
  std::shared_ptr<std::array<int, 11>> kept = nullptr;
};
thread_local DropsLast at_the_end;

TEST(Recycled, may_be_dropped_while_a_thread_ends) {
  std::thread([] {
    at_the_end.kept = make_recycled<std::array<int, 11>>();  // outlives the list of free blocks
    make_recycled<std::array<int, 11>>();
  }).join();
}

struct alignas(64) Line {
  std::array<int, 16> values;
};

TEST(Recycled, short_vectors_share_blocks_and_long_ones_do_not) {
  using Lines = std::vector<Line, RecycledAllocator<Line, 2>>;
  const void* place = nullptr;
  for (size_t size : {2, 1}) {
    Lines lines(size, Line{});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(lines.data()) % alignof(Line), 0U);
    if (place != nullptr) {
      EXPECT_EQ(lines.data() == place, kRecycles);
    }
    place = lines.data();
  }
  Lines growing;
  for (int i = 0; i < 100; ++i) {
    growing.push_back(Line{});
    growing.back().values.fill(i);
  }
  const Lines copy = growing;
  growing.clear();
  growing.shrink_to_fit();
  for (int i = 0; i < 100; ++i) ASSERT_EQ(copy[static_cast<size_t>(i)].values[15], i);
}

}  // namespace
}  // namespace assay::base
