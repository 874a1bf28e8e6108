// Order, completion, times and errors of queues on every device.
#include <algorithm>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "device/clock.h"
#include "device_case.h"

namespace assay::device_conformance {
namespace {

using device::Status;

class QueueTest : public DeviceTest {};
// For devices on which work takes time and leaves results.
class ExecutingQueueTest : public DeviceTest {};

TEST_P(QueueTest, runs_command_buffers_in_order) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(45);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 300; ++i) {
    auto commands = queue_->command_buffer();
    add(*commands, kernel, values, i, 45);
    queue_->submit(std::move(commands));
    expected = expected * 3 + i;
  }
  ASSERT_TRUE(queue_->wait());
  if (!executes()) return;
  for (const uint32_t value : words(*values)) EXPECT_EQ(value, expected);
}

TEST_P(QueueTest, runs_commands_of_one_buffer_in_order_with_fills_and_copies) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(33);
  const auto copy = zeros(33);
  auto commands = queue_->command_buffer("mixed");
  ASSERT_TRUE(commands->fill(values, 0, values->size(), 1));
  add(*commands, kernel, values, 7, 33);
  ASSERT_TRUE(commands->copy({values, 4, copy, 0, 32 * 4}));
  add(*commands, kernel, values, 1, 33);
  ASSERT_TRUE(commands->fill(values, 0, 4, 0xFF));
  const auto submission = queue_->submit(std::move(commands));
  ASSERT_TRUE(submission->wait());
  EXPECT_EQ(submission->label(), "mixed");
  EXPECT_EQ(submission->status(), Status::kCompleted);
  ASSERT_EQ(submission->dispatches().size(), 2U);
  if (!executes()) return;
  const uint32_t first = 0x01010101 * 3 + 7;
  EXPECT_EQ(words(*values)[0], 0xFFFFFFFF);
  EXPECT_EQ(words(*values)[32], first * 3 + 1);
  EXPECT_EQ(words(*copy)[0], first);
  EXPECT_EQ(words(*copy)[31], first);
  EXPECT_EQ(words(*copy)[32], 0U);
}

TEST_P(ExecutingQueueTest, copies_overlapping_ranges_as_if_at_once) {
  const auto values = zeros(10);
  for (uint32_t i = 0; i < 10; ++i) words(*values)[i] = i;
  auto commands = queue_->command_buffer();
  ASSERT_TRUE(commands->copy({values, 0, values, 8, 32}));
  ASSERT_TRUE(queue_->submit(std::move(commands))->wait());
  for (uint32_t i = 0; i < 10; ++i) EXPECT_EQ(words(*values)[i], i < 2 ? i : i - 2);
}

TEST_P(QueueTest, accepts_a_command_buffer_without_commands) {
  const auto submission = queue_->submit(queue_->command_buffer());
  EXPECT_TRUE(submission->wait());
  EXPECT_TRUE(submission->dispatches().empty());
}

TEST_P(ExecutingQueueTest, submit_returns_before_the_work_is_done) {
  const auto flag = zeros(1);
  auto commands = queue_->command_buffer();
  add(*commands, load(TestKernel::kWaitForHost), flag, 9, 1);
  const auto submission = queue_->submit(std::move(commands));
  EXPECT_FALSE(submission->done());
  std::atomic_ref<uint32_t>(words(*flag)[0]).store(9);
  EXPECT_TRUE(submission->wait());
}

TEST_P(QueueTest, work_starts_without_anyone_waiting) {
  const auto values = zeros(3);
  std::promise<void> done;
  auto commands = queue_->command_buffer();
  add(*commands, load(TestKernel::kTripleAndAdd), values, 5, 3);
  commands->on_completed([&](const Submission&) { done.set_value(); });
  queue_->submit(std::move(commands));
  ASSERT_EQ(done.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  if (executes()) {
    EXPECT_EQ(words(*values)[2], 5U);
  }
}

TEST_P(QueueTest, run_returns_when_the_work_is_done) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(77);
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 50; ++i) {
    // Behind work that nobody has waited for.
    auto before = queue_->command_buffer();
    add(*before, kernel, values, i, 77);
    queue_->submit(std::move(before));
    auto commands = queue_->command_buffer("run");
    add(*commands, kernel, values, 2 * i, 77);
    const auto submission = queue_->run(std::move(commands));
    ASSERT_TRUE(submission->done());
    EXPECT_TRUE(submission->wait());
    EXPECT_EQ(submission->label(), "run");
    expected = (expected * 3 + i) * 3 + 2 * i;
    if (executes()) {
      EXPECT_EQ(words(*values)[76], expected);
    }
  }
}

TEST_P(QueueTest, run_on_an_idle_queue_stays_on_the_calling_thread) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(3);
  // Long enough for the queue's thread to be asleep.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  for (uint32_t i = 0; i < 50; ++i) {
    std::thread::id ran_on;
    auto commands = queue_->command_buffer();
    add(*commands, kernel, values, i, 3);
    commands->on_completed([&](const Submission&) { ran_on = std::this_thread::get_id(); });
    queue_->run(std::move(commands));
    EXPECT_EQ(ran_on, std::this_thread::get_id());
  }
}

TEST_P(QueueTest, run_refuses_what_submit_refuses) {
  const auto other = *device_->create_queue();
  EXPECT_FALSE(queue_->run(other->command_buffer())->wait());
  EXPECT_FALSE(queue_->run(nullptr)->wait());
}

TEST_P(QueueTest, run_inside_a_callback_does_not_wait) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(2);
  std::shared_ptr<Submission> inner;
  bool was_done = true;
  auto commands = queue_->command_buffer();
  add(*commands, kernel, values, 1, 2);
  commands->on_completed([&](const Submission&) {
    auto more = queue_->command_buffer();
    add(*more, kernel, values, 5, 2);
    inner = queue_->run(std::move(more));
    was_done = inner->done();
  });
  EXPECT_TRUE(queue_->run(std::move(commands))->wait());
  EXPECT_FALSE(was_done);
  EXPECT_TRUE(inner->wait());
  if (executes()) {
    EXPECT_EQ(words(*values)[1], 8U);
  }
}

// The queue's thread leaves work to callers who always wait; it must notice when one does not.
TEST_P(QueueTest, work_starts_without_anyone_waiting_also_after_callers_ran_theirs) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(3);
  for (int round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < 20; ++i) {
      auto commands = queue_->command_buffer();
      add(*commands, kernel, values, i, 3);
      EXPECT_TRUE(queue_->submit(std::move(commands))->wait());
    }
    std::promise<void> done;
    auto commands = queue_->command_buffer();
    add(*commands, kernel, values, 5, 3);
    commands->on_completed([&](const Submission&) { done.set_value(); });
    queue_->submit(std::move(commands));
    ASSERT_EQ(done.get_future().wait_for(std::chrono::seconds(60)), std::future_status::ready);
  }
}

TEST_P(QueueTest, takes_command_buffers_from_many_threads) {
  const auto kernel = load(TestKernel::kCountAtomically);
  const auto counter = zeros(1);
  std::vector<std::thread> threads;
  std::atomic<uint32_t> completed = 0;
  for (uint32_t thread = 0; thread < 6; ++thread) {
    threads.emplace_back([&, thread] {
      for (uint32_t i = 0; i < 60; ++i) {
        auto commands = queue_->command_buffer();
        add(*commands, kernel, counter, 1, 50 + thread);
        commands->on_completed([&](const Submission&) { ++completed; });
        if (i % 7 == thread) {
          EXPECT_TRUE(queue_->run(std::move(commands))->wait());
          continue;
        }
        const auto submission = queue_->submit(std::move(commands));
        if (i % 3 == thread % 3) {
          EXPECT_TRUE(submission->wait());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(queue_->wait());
  EXPECT_EQ(completed, 360U);
  if (executes()) {
    EXPECT_EQ(words(*counter)[0], 60U * (50 + 51 + 52 + 53 + 54 + 55));
  }
}

TEST_P(QueueTest, several_queues_run_side_by_side) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  std::vector<std::unique_ptr<Queue>> queues;
  std::vector<std::shared_ptr<Buffer>> values;
  for (uint32_t i = 0; i < 4; ++i) {
    queues.push_back(*device_->create_queue());
    values.push_back(zeros(20'000));
  }
  for (uint32_t round = 0; round < 20; ++round) {
    for (uint32_t i = 0; i < 4; ++i) {
      auto commands = queues[i]->command_buffer();
      add(*commands, kernel, values[i], i, 20'000);
      queues[i]->submit(std::move(commands));
    }
  }
  for (uint32_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(queues[i]->wait());
    uint32_t expected = 0;
    for (uint32_t round = 0; round < 20; ++round) expected = expected * 3 + i;
    if (executes()) {
      EXPECT_TRUE(
          std::ranges::all_of(words(*values[i]), [&](uint32_t v) { return v == expected; }));
    }
  }
}

TEST_P(QueueTest, times_are_in_order) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(64);
  const uint64_t begin = device::now_ns();
  std::vector<std::shared_ptr<Submission>> submissions;
  for (int i = 0; i < 20; ++i) {
    auto commands = queue_->command_buffer();
    add(*commands, kernel, values, 1, 64);
    add(*commands, kernel, values, 2, 64);
    submissions.push_back(queue_->submit(std::move(commands)));
  }
  ASSERT_TRUE(queue_->wait());
  uint64_t last_end = begin;
  uint64_t last_submit = begin;
  for (const auto& submission : submissions) {
    EXPECT_LE(last_submit, submission->submitted_ns());
    last_submit = submission->submitted_ns();
    for (const device::DispatchResult& dispatch : submission->dispatches()) {
      EXPECT_EQ(dispatch.status, Status::kCompleted);
      EXPECT_EQ(dispatch.times.submitted_ns, submission->submitted_ns());
      EXPECT_LE(dispatch.times.submitted_ns, dispatch.times.started_ns);
      EXPECT_LE(last_end, dispatch.times.started_ns);
      EXPECT_LE(dispatch.times.started_ns, dispatch.times.ended_ns);
      last_end = dispatch.times.ended_ns;
    }
  }
  EXPECT_LE(last_end, device::now_ns());
}

TEST_P(QueueTest, refused_dispatch_leaves_the_command_buffer_usable) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(8);
  auto commands = queue_->command_buffer();
  add(*commands, kernel, values, 4, 8);
  const auto refused = commands->dispatch(kernel, Bindings().buffer(0, values),
                                          LaunchSize::threads({8, 1, 1}, {8, 1, 1}));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("'triple_and_add': argument 'value'"), std::string::npos);
  EXPECT_FALSE(commands->fill(values, 30, 3, 0));
  EXPECT_FALSE(commands->copy({values, 0, nullptr, 0, 4}));
  EXPECT_FALSE(commands->wait(nullptr, 1));
  EXPECT_FALSE(commands->signal(nullptr, 1));
  EXPECT_FALSE(commands->dispatch(nullptr, {}, {}));
  EXPECT_EQ(commands->commands().size(), 1U);
  EXPECT_TRUE(queue_->submit(std::move(commands))->wait());
  if (executes()) {
    EXPECT_EQ(words(*values)[7], 4U);
  }
}

TEST_P(QueueTest, refuses_kernels_and_buffers_of_another_device) {
  const auto other = GetParam().create();
  const auto foreign_kernel = GetParam().load(*other, TestKernel::kTripleAndAdd);
  const auto foreign_buffer = *other->allocate(64);
  auto commands = queue_->command_buffer();
  EXPECT_FALSE(commands->dispatch(foreign_kernel, Bindings().buffer(0, zeros(1)).value(1, 1U), {}));
  EXPECT_FALSE(commands->dispatch(load(TestKernel::kTripleAndAdd),
                                  Bindings().buffer(0, foreign_buffer).value(1, 1U), {}));
  EXPECT_FALSE(commands->fill(foreign_buffer, 0, 4, 0));
  EXPECT_FALSE(commands->copy({foreign_buffer, 0, zeros(1), 0, 4}));
}

TEST_P(QueueTest, refuses_command_buffers_of_another_queue_and_none_at_all) {
  const auto other = *device_->create_queue();
  EXPECT_FALSE(queue_->submit(other->command_buffer())->wait());
  EXPECT_FALSE(queue_->submit(nullptr)->wait());
  const auto reported = queue_->wait();
  ASSERT_FALSE(reported);
  EXPECT_NE(reported.error().message.find("another queue"), std::string::npos);
  EXPECT_TRUE(queue_->wait()) << "an error is reported once";
  EXPECT_TRUE(queue_->submit(queue_->command_buffer())->wait());
}

TEST_P(QueueTest, completion_handlers_may_submit_but_not_wait) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(2);
  std::promise<std::shared_ptr<Submission>> second;
  std::atomic<bool> waited = true;
  auto commands = queue_->command_buffer();
  add(*commands, kernel, values, 1, 2);
  commands->on_completed([&](const Submission& submission) {
    EXPECT_FALSE(submission.error().has_value());
    auto more = queue_->command_buffer();
    add(*more, kernel, values, 5, 2);
    auto submitted = queue_->submit(std::move(more));
    waited = submitted->wait().ok();
    second.set_value(submitted);
  });
  EXPECT_TRUE(queue_->submit(std::move(commands))->wait());
  EXPECT_TRUE(second.get_future().get()->wait());
  EXPECT_FALSE(waited);
  if (executes()) {
    EXPECT_EQ(words(*values)[1], 8U);
  }
}

TEST_P(QueueTest, buffers_return_to_the_pool_when_their_work_is_done) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  auto values = zeros(5'000);
  const std::byte* address = values->data();
  auto commands = queue_->command_buffer();
  add(*commands, kernel, std::move(values), 1, 5'000);
  ASSERT_TRUE(queue_->submit(std::move(commands))->wait());
  EXPECT_EQ(zeros(5'000)->data(), address);
}

TEST_P(QueueTest, destruction_runs_what_was_submitted) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(100);
  std::shared_ptr<Submission> last;
  for (uint32_t i = 0; i < 50; ++i) {
    auto commands = queue_->command_buffer();
    add(*commands, kernel, values, 1, 100);
    last = queue_->submit(std::move(commands));
  }
  queue_.reset();
  EXPECT_EQ(last->status(), Status::kCompleted);
  EXPECT_TRUE(last->wait());
  uint32_t expected = 0;
  for (uint32_t i = 0; i < 50; ++i) expected = expected * 3 + 1;
  if (executes()) {
    EXPECT_EQ(words(*values)[99], expected);
  }
}

TEST_P(QueueTest, may_be_destroyed_inside_its_own_handler) {
  std::promise<void> destroyed;
  auto commands = queue_->command_buffer();
  commands->on_completed([&](const Submission&) {
    queue_.reset();
    destroyed.set_value();
  });
  const auto submission = queue_->submit(std::move(commands));
  destroyed.get_future().wait();
  EXPECT_TRUE(submission->wait());
}

TEST_P(QueueTest, queues_and_kernels_outlive_their_device) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(10);
  device_.reset();
  auto commands = queue_->command_buffer();
  add(*commands, kernel, values, 3, 10);
  EXPECT_TRUE(queue_->submit(std::move(commands))->wait());
  if (executes()) {
    EXPECT_EQ(words(*values)[9], 3U);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, QueueTest,
                         ::testing::Values(cpu_case("cpu", 3), cpu_case("cpu_one_thread", 1),
                                           null_case()),
                         [](const auto& info) { return info.param.name; });

INSTANTIATE_TEST_SUITE_P(Devices, ExecutingQueueTest,
                         ::testing::Values(cpu_case("cpu", 3), cpu_case("cpu_one_thread", 1)),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::device_conformance
