// Rows of cells, against the same cells one by one.
#include "sanitizer/checks/ordinary_accesses.h"

#include <gtest/gtest.h>

#include <random>

namespace assay::sanitizer {
namespace {

constexpr uint64_t kCells = 64;
constexpr uint64_t kGranuleShift = 2;

// Cells as a launch may leave them: every field is often that of the access, often another.
class RandomCells {
 public:
  explicit RandomCells(uint32_t seed) : random_(seed) {}

  uint64_t below(uint64_t limit) { return random_() % limit; }
  uint64_t word(const CellAccess& access, uint64_t lane) {
    const uint64_t self = CellWord::of_thread(access.as_read, static_cast<uint32_t>(lane));
    if (below(8) == 0) return 0;
    uint64_t word = self & ~uint64_t{7};
    if (below(12) == 0) word ^= uint64_t{1} << CellWord::kLaunchShift;
    if (below(12) == 0) word ^= uint64_t{1} << CellWord::kGroupShift;
    if (below(3) == 0) word ^= uint64_t{2} << CellWord::kThreadShift;
    if (below(2) == 0) word ^= uint64_t{1} << 12;
    if (below(12) == 0) word ^= uint64_t{1} << 7;
    return word | (below(6) == 0 ? below(8) : 0);
  }
  // A row without anything to dispute, except for few.
  uint64_t calm_word(const CellAccess& access, uint64_t lane) {
    if (below(200) == 0) return word(access, lane);
    const uint64_t self = CellWord::of_thread(access.as_read, static_cast<uint32_t>(lane));
    switch (below(3)) {
      case 0: return 0;
      case 1: return self & ~uint64_t{7};
      default: return (self ^ uint64_t{1} << 12) & ~uint64_t{7};
    }
  }

 private:
  std::mt19937 random_;
};

void expect_equal(RaceCells& row, RaceCells& single, int turn) {
  for (uint64_t at = 0; at < kCells; ++at) {
    const RaceCell a = row.cell(at);
    const RaceCell b = single.cell(at);
    ASSERT_EQ(a.write, b.write) << "turn " << turn << ", cell " << at;
    ASSERT_EQ(a.read, b.read) << "turn " << turn << ", cell " << at;
    ASSERT_EQ(a.write_site, b.write_site) << "turn " << turn << ", cell " << at;
    ASSERT_EQ(a.read_site, b.read_site) << "turn " << turn << ", cell " << at;
    ASSERT_EQ(a.other_read_site, b.other_read_site) << "turn " << turn << ", cell " << at;
  }
}

TEST(OrdinaryAccesses, are_the_same_in_rows_and_one_by_one) {
  RandomCells random(7);
  int calm_rows = 0;
  for (int turn = 0; turn < 20'000; ++turn) {
    const bool is_atomic = random.below(8) == 0;
    const CellAccess access{
        .as_write = CellWord::make(3, 17, 64, 5, 2, 1) | (is_atomic ? CellWord::kAtomic : 0),
        .as_read = CellWord::make(3, 17, 64, 9, 2, 1) | (is_atomic ? CellWord::kAtomic : 0),
        .site = 4,
        .writes = random.below(2) == 0};
    const CellLine line{.first = random.below(8), .step = random.below(4) == 0 ? uint64_t{0} : 1};
    const auto low = static_cast<uint32_t>(random.below(8));
    const auto high = static_cast<uint32_t>(low + 1 + random.below(32 - low));
    const uint32_t lanes = (high == 32 ? UINT32_MAX : (1U << high) - 1) & (UINT32_MAX << low);
    RaceCells row;
    RaceCells single;
    const bool is_calm = random.below(2) == 0;
    for (RaceCells* cells : {&row, &single}) cells->begin(kCells << kGranuleShift, kGranuleShift);
    for (uint64_t at = 0; at < kCells; ++at) {
      const uint64_t lane = at < line.first ? 0 : at - line.first;
      CellAccess as_writer = access;
      as_writer.as_read = access.as_write;
      const uint64_t write =
          is_calm ? random.calm_word(as_writer, lane) : random.word(as_writer, lane);
      const uint64_t read = is_calm ? random.calm_word(access, lane) : random.word(access, lane);
      for (RaceCells* cells : {&row, &single}) {
        cells->cell(at).write = write;
        cells->cell(at).read = read;
      }
    }
    const uint32_t disputed = pass_line(row, access, lanes, line);
    const uint32_t expected = pass_lanes(
        single, access, lanes, [&](uint32_t lane) { return line.first + line.step * lane; });
    ASSERT_EQ(disputed, expected) << "turn " << turn;
    calm_rows += disputed == 0;
    expect_equal(row, single, turn);
  }
  EXPECT_GT(calm_rows, 4'000);
  EXPECT_LT(calm_rows, 16'000);
}

TEST(ThreadClock, counts_barriers_by_what_they_order) {
  kernel::CheckSite group{.kind = kernel::SiteKind::kThreadgroupBarrier};
  group.orders_threadgroup = true;
  kernel::CheckSite lanes{.kind = kernel::SiteKind::kSimdgroupBarrier};
  lanes.orders_device = true;
  ThreadClock clock;
  for (uint32_t i = 1; i <= 5'000; ++i) {
    clock.pass(ThreadClock::Tick::of(group));
    if (i % 3 == 0) clock.pass(ThreadClock::Tick::of(lanes));
    ASSERT_EQ(clock.epoch(Order::kDevice), 0U);
    ASSERT_EQ(clock.epoch(Order::kThreadgroup), i % 4096);
    ASSERT_EQ(clock.epoch(Order::kExecution), i);
    ASSERT_EQ(clock.sub_epoch(Order::kDevice), i / 3 % 32);
    ASSERT_EQ(clock.sub_epoch(Order::kThreadgroup), 0U);
    ASSERT_EQ(clock.sub_epoch(Order::kExecution), i / 3 % 32);
  }
}

}  // namespace
}  // namespace assay::sanitizer
