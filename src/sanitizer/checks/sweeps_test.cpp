// Loads of a loop as lines, against visiting every address.
#include "sanitizer/checks/sweeps.h"

#include <gtest/gtest.h>

#include <random>

namespace assay::sanitizer {
namespace {

constexpr uint64_t kBegin = 0x10'0000;
constexpr uint64_t kBytes = 4096;

// Arguments of one sweep over a buffer at slot 0, four bytes a load.
struct Loads {
  LaunchState state;
  MemoryState memory;
  kernel::CheckTable table;
  std::array<uint64_t, 32> first = {}, second = {}, last = {}, rounds = {};
  uint32_t mask = UINT32_MAX;

  Loads() {
    table.sites.push_back({.memory = kernel::SiteMemory::kBuffer, .bytes = 4, .alignment = 4});
    state.set_table(table);
    memory.initialised.assign(kBytes, 1);
    MemoryObject& object = state.objects[0];
    object.begin = object.start = object.state_begin = kBegin;
    object.end = kBegin + kBytes;
    object.state = &memory;
  }
  void set(uint32_t lane, uint64_t from, uint64_t step, uint64_t count) {
    first[lane] = kBegin + from;
    second[lane] = first[lane] + step;
    last[lane] = first[lane] + step * (count - 1);
    rounds[lane] = count;
  }
  kernel::LaneSweep sweep() const {
    return {{0, mask, 0}, first.data(), second.data(), last.data(), rounds.data(), 0};
  }
  bool are_fine() const {
    SweepLines lines;
    return find_lines(state, sweep(), lines) && have_values(state, sweep(), lines);
  }
  // The same, address by address.
  bool are_fine_one_by_one() const {
    for (uint32_t lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1) == 0) continue;
      for (uint64_t round = 0; round < rounds[lane]; ++round) {
        const uint64_t offset = first[lane] + (second[lane] - first[lane]) * round - kBegin;
        if (offset > kBytes - 4) return false;
        for (uint64_t i = offset; i < offset + 4; ++i) {
          if (memory.initialised[i] == 0) return false;
        }
      }
    }
    return true;
  }
};

TEST(Sweeps, agree_with_every_address) {
  std::mt19937 random(5);
  auto below = [&](uint64_t limit) { return random() % limit; };
  int fine = 0;
  for (int turn = 0; turn < 4000; ++turn) {
    Loads loads;
    const uint64_t kind = below(3);
    const uint64_t step = 4 * below(40) - 4 * below(8);
    const uint64_t start = 4 * below(900);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      const uint64_t from = kind == 0   ? start + lane * 4        // side by side
                            : kind == 1 ? start + lane / 16 * 64  // rows of a tile
                                        : 4 * below(900);
      loads.set(lane, from, step, below(4) == 0 ? below(20) : 12);
    }
    loads.mask = below(2) == 0 ? UINT32_MAX : static_cast<uint32_t>(random());
    if (below(2) == 0) loads.memory.initialised[below(kBytes)] = 0;
    EXPECT_EQ(loads.are_fine(), loads.are_fine_one_by_one()) << "turn " << turn;
    fine += loads.are_fine();
  }
  EXPECT_GT(fine, 400);
  EXPECT_LT(fine, 3600);
}

// Lanes with one stride, told by lane 0 or by each of them.
TEST(Sweeps, are_judged_alike_as_lines_and_lane_by_lane) {
  std::mt19937 random(6);
  auto below = [&](uint64_t limit) { return random() % limit; };
  int fine = 0;
  for (int turn = 0; turn < 4000; ++turn) {
    Loads loads;
    const uint64_t step = 4 * below(40) - 4 * below(20);
    const int64_t stride = static_cast<int64_t>(4 * below(4)) - (below(4) == 0 ? 8 : 0);
    const uint64_t start = 4 * below(900);
    const uint64_t rounds = below(14);
    for (uint32_t lane = 0; lane < 32; ++lane) {
      loads.set(lane, start + static_cast<uint64_t>(stride) * lane, step, rounds);
    }
    const auto low = static_cast<uint32_t>(below(20));
    loads.mask = below(2) == 0 ? UINT32_MAX : UINT32_MAX << low >> below(12);
    if (loads.mask == 0) continue;
    if (below(2) == 0) loads.memory.initialised[below(kBytes)] = 0;
    const kernel::LineSweep line{
        {0, loads.mask, 0}, loads.first[0], loads.second[0], loads.last[0], rounds, stride, 0};
    SweepLines lines;
    const bool is_fine =
        find_lines(loads.state, line, lines) && have_values(loads.state, line, lines);
    EXPECT_EQ(is_fine, loads.are_fine_one_by_one()) << "turn " << turn;
    fine += is_fine;
  }
  EXPECT_GT(fine, 400);
  EXPECT_LT(fine, 3900);
}

TEST(Sweeps, need_a_last_address_on_the_line) {
  Loads loads;
  loads.mask = 1;
  loads.set(0, 0, 4, 10);
  EXPECT_TRUE(loads.are_fine());
  // As where an index of 32 bits wraps around.
  loads.last[0] -= 4;
  EXPECT_FALSE(loads.are_fine());
}

TEST(Sweeps, leave_misaligned_loads_to_the_rounds) {
  Loads loads;
  loads.mask = 1;
  loads.set(0, 2, 4, 10);
  EXPECT_FALSE(loads.are_fine());
}

TEST(Sweeps, ask_nothing_of_loops_without_rounds) {
  Loads loads;
  EXPECT_TRUE(loads.are_fine());
}

TEST(Sweeps, keep_two_of_neighbours_that_load_the_same) {
  Loads loads;
  for (uint32_t lane = 0; lane < 32; ++lane) loads.set(lane, lane / 16 * 64, 4, 8);
  SweepLines lines;
  ASSERT_TRUE(find_lines(loads.state, loads.sweep(), lines));
  EXPECT_EQ(without_repeats(loads.sweep(), lines), 0x0003'0003U);
}

TEST(Sweeps, keep_all_lanes_that_load_something_else) {
  Loads loads;
  for (uint32_t lane = 0; lane < 32; ++lane) loads.set(lane, lane % 16 * 4, 64, 8);
  SweepLines lines;
  ASSERT_TRUE(find_lines(loads.state, loads.sweep(), lines));
  EXPECT_EQ(without_repeats(loads.sweep(), lines), UINT32_MAX);
}

TEST(KnownSweeps, know_what_was_added_and_nothing_else) {
  Loads loads;
  for (uint32_t lane = 0; lane < 32; ++lane) loads.set(lane, lane * 4, 128, 5);
  loads.mask = 0x00ff'ff00;
  KnownSweeps known;
  const SweepMoment moment{.clock = 7, .writes = 3};
  EXPECT_FALSE(known.holds(loads.sweep(), moment));
  known.add(loads.sweep(), moment);
  EXPECT_TRUE(known.holds(loads.sweep(), moment));
  EXPECT_FALSE(known.holds(loads.sweep(), {.clock = 7, .writes = 4}));
  loads.set(31, 0, 4, 1);  // a lane that takes no part
  EXPECT_TRUE(known.holds(loads.sweep(), moment));

  for (std::array<uint64_t, 32>* values :
       {&loads.first, &loads.second, &loads.last, &loads.rounds}) {
    (*values)[23] ^= 4;
    EXPECT_FALSE(known.holds(loads.sweep(), moment));
    (*values)[23] ^= 4;
  }
  loads.mask ^= 1;
  EXPECT_FALSE(known.holds(loads.sweep(), moment));
  loads.mask ^= 1;
  EXPECT_TRUE(known.holds(loads.sweep(), moment));
  known.clear();
  EXPECT_FALSE(known.holds(loads.sweep(), moment));
}

}  // namespace
}  // namespace assay::sanitizer
