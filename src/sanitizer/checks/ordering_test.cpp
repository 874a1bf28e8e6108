// Two queues on one buffer, with everything that may or may not order them.
#include "sanitizer/checks/ordering.h"

#include <gtest/gtest.h>

namespace assay::sanitizer {
namespace {

class Ordering : public ::testing::Test {
 protected:
  static constexpr uint64_t kBuffer = 7;
  static constexpr uint64_t kEvent = 9;

  Ordering() {
    info_.name = "k";
    info_.arguments.emplace_back().name = "data";
  }

  std::vector<Finding> dispatch(uint64_t queue, kernel::Access access, uint64_t offset = 0,
                                uint64_t bytes = 16) {
    kernel::CommandDescription command{.queue_id = queue, .command_buffer_id = queue + 100};
    command.kernel = &info_;
    command.bindings = {{.access = access, .buffer_id = kBuffer, .offset = offset, .bytes = bytes}};
    std::vector<Finding> findings = check_.on_begin(command);
    check_.on_end(command);
    return findings;
  }
  void event(uint64_t queue, kernel::CommandKind kind, uint64_t value) {
    const kernel::CommandDescription command{.kind = kind,
                                             .queue_id = queue,
                                             .command_buffer_id = queue + 100,
                                             .event_id = kEvent,
                                             .event_value = value};
    EXPECT_TRUE(check_.on_begin(command).empty());
    check_.on_end(command);
  }

  kernel::KernelInfo info_;
  OrderingCheck check_;
};

TEST_F(Ordering, reports_a_read_that_nothing_orders_behind_a_write) {
  EXPECT_TRUE(dispatch(1, kernel::Access::kWrite).empty());
  const std::vector<Finding> findings = dispatch(2, kernel::Access::kRead);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, "missing-ordering");
  EXPECT_EQ(findings[0].message,
            "kernel 'k' reads 'data' while kernel 'k' of another queue writes it, and nothing "
            "orders them");
}

TEST_F(Ordering, reports_writes_behind_reads_and_writes) {
  EXPECT_TRUE(dispatch(1, kernel::Access::kRead).empty());
  EXPECT_EQ(dispatch(2, kernel::Access::kReadWrite).size(), 1U);
}

TEST_F(Ordering, is_silent_for_one_queue_and_for_reads) {
  EXPECT_TRUE(dispatch(1, kernel::Access::kWrite).empty());
  EXPECT_TRUE(dispatch(1, kernel::Access::kReadWrite).empty());
  EXPECT_TRUE(dispatch(1, kernel::Access::kRead).empty());
}

TEST_F(Ordering, is_silent_where_ranges_do_not_overlap) {
  EXPECT_TRUE(dispatch(1, kernel::Access::kWrite, 0, 16).empty());
  EXPECT_TRUE(dispatch(2, kernel::Access::kWrite, 16, 16).empty());
  EXPECT_EQ(dispatch(3, kernel::Access::kRead, 15, 2).size(), 1U);
}

TEST_F(Ordering, follows_events) {
  EXPECT_TRUE(dispatch(1, kernel::Access::kWrite).empty());
  event(1, kernel::CommandKind::kSignal, 5);
  event(2, kernel::CommandKind::kWait, 4);  // 5 is enough
  EXPECT_TRUE(dispatch(2, kernel::Access::kRead).empty());
  // And on to a third queue.
  event(2, kernel::CommandKind::kSignal, 6);
  event(3, kernel::CommandKind::kWait, 6);
  EXPECT_TRUE(dispatch(3, kernel::Access::kWrite).empty());
}

TEST_F(Ordering, does_not_take_an_event_for_work_behind_it) {
  event(1, kernel::CommandKind::kSignal, 1);
  EXPECT_TRUE(dispatch(1, kernel::Access::kWrite).empty());
  event(2, kernel::CommandKind::kWait, 1);
  EXPECT_EQ(dispatch(2, kernel::Access::kRead).size(), 1U);
}

TEST_F(Ordering, takes_the_host_for_an_order) {
  EXPECT_TRUE(dispatch(1, kernel::Access::kWrite).empty());
  check_.on_complete({.queue_id = 1, .command_buffer_id = 101});
  check_.on_submit({.queue_id = 2, .command_buffer_id = 102});
  EXPECT_TRUE(dispatch(2, kernel::Access::kRead).empty());
}

TEST_F(Ordering, tells_each_pair_once) {
  EXPECT_TRUE(dispatch(1, kernel::Access::kWrite).empty());
  EXPECT_EQ(dispatch(2, kernel::Access::kRead).size(), 1U);
  EXPECT_EQ(dispatch(2, kernel::Access::kRead).size(), 0U);
}

}  // namespace
}  // namespace assay::sanitizer
