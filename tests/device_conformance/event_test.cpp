// Events between queues and host threads on every device.
#include <chrono>
#include <thread>
#include <vector>

#include "device_case.h"

namespace assay::device_conformance {
namespace {

class EventTest : public DeviceTest {
 protected:
  EventTest() : other_(*device_->create_queue("other")) {}

  std::shared_ptr<Submission> submit_wait(Queue& queue, uint64_t value) {
    auto commands = queue.command_buffer();
    EXPECT_TRUE(commands->wait(event_, value));
    return queue.submit(std::move(commands));
  }
  std::shared_ptr<Submission> submit_signal(Queue& queue, uint64_t value) {
    auto commands = queue.command_buffer();
    EXPECT_TRUE(commands->signal(event_, value));
    return queue.submit(std::move(commands));
  }

  std::unique_ptr<Queue> other_;
  std::shared_ptr<device::Event> event_ = device_->create_event();
};

TEST_P(EventTest, one_queue_waits_for_another) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(10);
  auto consumer = other_->command_buffer();
  ASSERT_TRUE(consumer->wait(event_, 1));
  add(*consumer, kernel, values, 1, 10);
  const auto consumed = other_->submit(std::move(consumer));

  auto producer = queue_->command_buffer();
  add(*producer, kernel, values, 5, 10);
  ASSERT_TRUE(producer->signal(event_, 1));
  EXPECT_FALSE(consumed->done());
  queue_->submit(std::move(producer));
  ASSERT_TRUE(consumed->wait());
  EXPECT_EQ(event_->value(), 1U);
  if (executes()) {
    EXPECT_EQ(words(*values)[9], 16U);
  }
}

TEST_P(EventTest, two_queues_take_turns) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(1);
  constexpr uint64_t kTurns = 100;
  uint32_t expected = 0;
  for (uint64_t turn = 0; turn < kTurns; ++turn) {
    Queue& queue = turn % 2 == 0 ? *queue_ : *other_;
    auto commands = queue.command_buffer();
    ASSERT_TRUE(commands->wait(event_, turn));
    add(*commands, kernel, values, static_cast<uint32_t>(turn), 1);
    ASSERT_TRUE(commands->signal(event_, turn + 1));
    queue.submit(std::move(commands));
    expected = expected * 3 + static_cast<uint32_t>(turn);
  }
  event_->wait(kTurns);
  ASSERT_TRUE(queue_->wait());
  ASSERT_TRUE(other_->wait());
  if (executes()) {
    EXPECT_EQ(words(*values)[0], expected);
  }
}

TEST_P(EventTest, host_releases_a_queue_that_waits) {
  const auto waiting = submit_wait(*queue_, 3);
  std::thread host([this] {
    event_->signal(2);
    event_->signal(3);
  });
  EXPECT_TRUE(waiting->wait());
  host.join();
}

TEST_P(EventTest, host_waits_for_a_queue_before_it_was_submitted) {
  std::thread host([this] { event_->wait(7); });
  submit_signal(*queue_, 7);
  host.join();
  EXPECT_EQ(event_->value(), 7U);
}

TEST_P(EventTest, one_signal_releases_many_queues) {
  std::vector<std::unique_ptr<Queue>> queues;
  std::vector<std::shared_ptr<Submission>> waiting;
  for (int i = 0; i < 5; ++i) {
    queues.push_back(*device_->create_queue());
    waiting.push_back(submit_wait(*queues.back(), 1));
  }
  submit_signal(*queue_, 1);
  for (const auto& submission : waiting) EXPECT_TRUE(submission->wait());
}

TEST_P(EventTest, destroying_a_queue_gives_up_a_wait_that_cannot_end) {
  const auto blocked = submit_wait(*other_, 1);
  const auto behind = submit_signal(*other_, 0);
  other_.reset();
  EXPECT_EQ(blocked->status(), device::Status::kFailed);
  const auto result = blocked->wait();
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("waited for event value 1"), std::string::npos);
  EXPECT_TRUE(behind->wait());
}

INSTANTIATE_TEST_SUITE_P(Devices, EventTest, ::testing::Values(cpu_case("cpu", 2), null_case()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::device_conformance
