// Failures on request: the null device fails at the n-th call, and everything around it goes on.
#include <memory>
#include <string>

#include "device_case.h"

namespace assay::device_conformance {
namespace {

using device::Status;
using device::null::NullDevice;

class FaultTest : public ::testing::Test {
 protected:
  void add(CommandBuffer& commands, const std::string& label) {
    ASSERT_TRUE(commands.dispatch(kernel_, Bindings().buffer(0, values_).value(1, 1U),
                                  LaunchSize::threads({4, 1, 1}, {4, 1, 1}), {label, ""}));
  }

  std::shared_ptr<NullDevice> device_ = NullDevice::create();
  std::shared_ptr<LoadedKernel> kernel_ = load_on_null(*device_, TestKernel::kTripleAndAdd);
  std::shared_ptr<Buffer> values_ = *device_->allocate(16);
  std::unique_ptr<Queue> queue_ = *device_->create_queue();
};

TEST_F(FaultTest, failed_launch_fails_its_command_buffer_and_nothing_else) {
  device_->set_faults({.failing_launch = 3});
  const auto event = device_->create_event();
  auto commands = queue_->command_buffer();
  add(*commands, "a");
  queue_->submit(std::move(commands));

  commands = queue_->command_buffer();
  add(*commands, "b");
  add(*commands, "fails");
  add(*commands, "skipped");
  ASSERT_TRUE(commands->signal(event, 1));
  const auto failed = queue_->submit(std::move(commands));

  commands = queue_->command_buffer();
  add(*commands, "after");
  const auto after = queue_->submit(std::move(commands));

  EXPECT_TRUE(after->wait());
  const auto result = failed->wait();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "[null device] launch 3 fails as requested");
  EXPECT_EQ(failed->status(), Status::kFailed);
  ASSERT_EQ(failed->dispatches().size(), 3U);
  EXPECT_EQ(failed->dispatches()[0].status, Status::kCompleted);
  EXPECT_EQ(failed->dispatches()[1].status, Status::kFailed);
  EXPECT_EQ(failed->dispatches()[1].error, result.error().message);
  EXPECT_EQ(failed->dispatches()[2].status, Status::kFailed);
  EXPECT_EQ(failed->dispatches()[2].times.started_ns, 0U);
  EXPECT_EQ(event->value(), 1U) << "whoever waits for a failed command buffer must not hang";
  EXPECT_FALSE(queue_->wait());
  EXPECT_TRUE(queue_->wait());

  std::string labels;
  for (const auto& dispatch : device_->dispatches()) labels += dispatch.label + " ";
  EXPECT_EQ(labels, "a b after ");
}

TEST_F(FaultTest, failed_allocation_leaves_statistics_as_they_were) {
  const uint64_t active = device_->memory().active_bytes;
  device_->set_faults({.failing_allocation = 2});
  auto first = device_->allocate(1'000);
  EXPECT_TRUE(first);
  const auto second = device_->allocate(1'000);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "[null device] allocation 2 fails as requested");
  EXPECT_TRUE(device_->allocate(1'000));
  first->reset();
  EXPECT_EQ(device_->memory().active_bytes, active);
}

TEST_F(FaultTest, loads_and_queues_fail_on_request) {
  device_->set_faults({.failing_load = 1, .failing_queue = 1});
  EXPECT_FALSE(device_->load({}));
  EXPECT_FALSE(device_->create_queue());
  EXPECT_TRUE(device_->load({}));
  EXPECT_TRUE(device_->create_queue());
}

TEST_F(FaultTest, records_dispatches_with_their_bindings) {
  auto commands = queue_->command_buffer();
  add(*commands, "recorded");
  ASSERT_TRUE(queue_->submit(std::move(commands))->wait());
  ASSERT_EQ(device_->dispatches().size(), 1U);
  const device::null::RecordedDispatch dispatch = device_->dispatches()[0];
  EXPECT_EQ(dispatch.label, "recorded");
  EXPECT_EQ(dispatch.queue_id, queue_->id());
  ASSERT_EQ(dispatch.bindings.size(), 2U);
  EXPECT_EQ(dispatch.bindings[0].buffer_id, values_->id());
  EXPECT_EQ(dispatch.bindings[0].data, nullptr);
}

}  // namespace
}  // namespace assay::device_conformance
