// Dependencies between commands, by memory and by events.
#include "capture/command_order.h"

#include <gtest/gtest.h>

#include <string>

namespace assay::capture {
namespace {

using Range = CommandOrder::Range;

constexpr Range read(trace::Id buffer, int64_t begin, int64_t end) {
  return {buffer, begin, end, true, false};
}
constexpr Range write(trace::Id buffer, int64_t begin, int64_t end) {
  return {buffer, begin, end, false, true};
}

// "1r 2w": needs command 1 (reads what it wrote) and 2 (writes what it wrote); a: writes what it
// read, e: event.
std::string text(const std::vector<trace::DependencyRecord>& needs) {
  std::string out;
  for (const trace::DependencyRecord& need : needs) {
    if (!out.empty()) out += ' ';
    out += std::to_string(need.needs) + "rawe"[static_cast<int>(need.kind)];
  }
  return out;
}

TEST(CommandOrder, knows_reads_behind_writes_of_the_same_bytes) {
  CommandOrder order;
  EXPECT_EQ(text(order.add(1, 1, {write(7, 0, 100)})), "");
  EXPECT_EQ(text(order.add(2, 1, {read(7, 50, 60), write(8, 0, 10)})), "1r");
  EXPECT_EQ(text(order.add(3, 1, {read(7, 100, 200)})), "") << "the next bytes";
  EXPECT_EQ(text(order.add(4, 1, {read(8, 9, 10), read(7, 0, 1)})), "2r 1r");
}

TEST(CommandOrder, knows_writes_behind_reads_and_writes) {
  CommandOrder order;
  order.add(1, 1, {write(7, 0, 100)});
  order.add(2, 1, {read(7, 0, 50)});
  order.add(3, 2, {read(7, 0, 50)});
  EXPECT_EQ(text(order.add(4, 1, {write(7, 0, 100)})), "1w 2a 3a");
  EXPECT_EQ(text(order.add(5, 1, {read(7, 0, 100)})), "4r") << "only the last write counts";
}

TEST(CommandOrder, keeps_the_last_reader_of_a_queue) {
  CommandOrder order;
  for (trace::Id command = 1; command <= 1000; ++command) order.add(command, 1, {read(7, 0, 8)});
  EXPECT_EQ(text(order.add(1001, 1, {write(7, 0, 8)})), "1000a");
}

TEST(CommandOrder, an_update_in_place_reads_and_writes) {
  CommandOrder order;
  order.add(1, 1, {write(7, 0, 8)});
  EXPECT_EQ(text(order.add(2, 1, {{7, 0, 8, true, true}})), "1r");
  EXPECT_EQ(text(order.add(3, 1, {{7, 0, 8, true, true}})), "2r");
}

TEST(CommandOrder, waits_for_the_signal_that_reaches_the_value) {
  CommandOrder order;
  order.add_signal(1, 9, 5);
  order.add_signal(2, 9, 8);
  EXPECT_EQ(text(order.add_wait(3, 9, 6)), "2e");
  EXPECT_EQ(text(order.add_wait(4, 9, 5)), "1e");
  EXPECT_EQ(text(order.add_wait(5, 9, 9)), "") << "signalled before the capture or by the host";
  EXPECT_EQ(text(order.add_wait(6, 1, 1)), "");
}

TEST(CommandOrder, forgets_buffers) {
  CommandOrder order;
  order.add(1, 1, {write(7, 0, 8)});
  order.forget(7);
  EXPECT_EQ(text(order.add(2, 1, {read(7, 0, 8)})), "");
}

}  // namespace
}  // namespace assay::capture
