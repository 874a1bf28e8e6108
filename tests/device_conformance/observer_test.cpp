// What observers see, on every device.
#include <cstring>
#include <mutex>
#include <string>
#include <vector>

#include "device_case.h"

namespace assay::device_conformance {
namespace {

class Recorder : public device::Observer {
 public:
  void on_allocate(const kernel::BufferDescription& buffer) override {
    note("allocate " + std::to_string(buffer.bytes) + " " + std::string(buffer.label));
  }
  void on_free(const kernel::BufferDescription& buffer) override {
    note("free " + std::string(buffer.label));
  }
  void on_kernel_loaded(const kernel::LoadDescription& load) override {
    note("load " + std::string(load.kernel));
  }
  void on_queue_created(const kernel::QueueDescription& queue) override {
    note("queue " + std::string(queue.label));
  }
  void on_queue_destroyed(const kernel::QueueDescription& queue) override {
    note("queue destroyed " + std::string(queue.label));
  }
  void on_submit(const kernel::SubmitDescription& submit) override {
    note("submit " + std::string(submit.label) + " " + std::to_string(submit.command_count));
  }
  void on_command_begin(const kernel::CommandDescription& command) override {
    const std::lock_guard lock(mutex_);
    events_.push_back("begin " + name_of(command));
    if (command.kind != kernel::CommandKind::kDispatch) return;
    dispatches_.push_back(command);
    for (const kernel::BindingDescription& binding : command.bindings) {
      uint32_t first = 0;
      std::memcpy(&first, binding.data, 4);
      first_words_.push_back(first);
      buffer_bytes_.push_back(binding.buffer.size());
    }
    labels_.emplace_back(command.label);
    labels_.emplace_back(command.origin);
    for (const kernel::ArrayDescription& array : command.arrays) labels_.push_back(array.name);
  }
  void on_command_end(const kernel::CommandDescription& command, const kernel::DispatchTimes& times,
                      std::string_view error) override {
    EXPECT_LE(times.started_ns, times.ended_ns);
    note("end " + name_of(command) + std::string(error));
  }
  void on_complete(const kernel::SubmitDescription& submit, std::string_view error) override {
    note("complete " + std::string(submit.label) + std::string(error));
  }

  std::vector<std::string> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }
  // Of dispatches; their texts are gone.
  const std::vector<kernel::CommandDescription>& dispatches() const { return dispatches_; }
  const std::vector<uint32_t>& first_words() const { return first_words_; }
  const std::vector<uint64_t>& buffer_bytes() const { return buffer_bytes_; }
  const std::vector<std::string>& labels() const { return labels_; }

 private:
  static std::string name_of(const kernel::CommandDescription& command) {
    auto target = [&] { return std::to_string(command.bindings.back().bytes); };
    switch (command.kind) {
      case kernel::CommandKind::kDispatch: return command.kernel->name;
      case kernel::CommandKind::kFill: return "fill " + target();
      case kernel::CommandKind::kCopy: return "copy " + target();
      case kernel::CommandKind::kMatrixProduct: return "matrix product " + target();
      case kernel::CommandKind::kWait: return "wait " + std::to_string(command.event_value);
      case kernel::CommandKind::kSignal: return "signal " + std::to_string(command.event_value);
    }
    return "?";
  }
  void note(std::string event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }

  mutable std::mutex mutex_;
  std::vector<std::string> events_;
  std::vector<kernel::CommandDescription> dispatches_;
  std::vector<uint32_t> first_words_;
  std::vector<uint64_t> buffer_bytes_;
  std::vector<std::string> labels_;
};

class ObserverTest : public DeviceTest {
 protected:
  std::shared_ptr<Recorder> recorder_ = std::make_shared<Recorder>();
};

TEST_P(ObserverTest, sees_everything_in_order) {
  device_->add_observer(recorder_);
  auto queue = *device_->create_queue("watched");
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto event = device_->create_event();
  {
    const auto values = zeros(16);
    auto commands = queue->command_buffer("work");
    ASSERT_TRUE(commands->fill(values, 0, 64, 0));
    add(*commands, kernel, values, 2, 16);
    ASSERT_TRUE(commands->copy({values, 0, values, 32, 32}));
    kernel::MatrixProduct product{.m = 2, .n = 2, .k = 1};
    product.a.leading = 1;
    product.b.leading = 2;
    product.products = {{0, 2}};
    ASSERT_TRUE(commands->matrix_product({product, {values, 0}, {values, 8}, {values, 32}}));
    ASSERT_TRUE(commands->signal(event, 7));
    ASSERT_TRUE(commands->wait(event, 7));
    ASSERT_TRUE(queue->submit(std::move(commands))->wait());
  }
  queue.reset();
  const std::vector<std::string> expected = {"queue watched",
                                             "load triple_and_add",
                                             "allocate 64 values",
                                             "submit work 6",
                                             "begin fill 64",
                                             "end fill 64",
                                             "begin triple_and_add",
                                             "end triple_and_add",
                                             "begin copy 32",
                                             "end copy 32",
                                             "begin matrix product 16",
                                             "end matrix product 16",
                                             "begin signal 7",
                                             "end signal 7",
                                             "begin wait 7",
                                             "end wait 7",
                                             "complete work",
                                             "free values",
                                             "queue destroyed watched"};
  EXPECT_EQ(recorder_->events(), expected);
}

TEST_P(ObserverTest, gets_a_full_description_of_a_dispatch) {
  const auto kernel = load(TestKernel::kTripleAndAdd);
  const auto values = zeros(50);
  words(*values)[8] = 77;
  device_->add_observer(recorder_);
  auto commands = queue_->command_buffer();
  const uint64_t id = commands->id();
  ASSERT_TRUE(commands->signal(device_->create_event(), 1));
  ASSERT_TRUE(commands->dispatch(
      kernel, Bindings().buffer(0, values, 32).value(1, 5U),
      LaunchSize::threads({42, 1, 1}, {16, 1, 1}),
      {"my label", "file.py:12", {{.slot = 0, .name = "x", .dtype = "uint32"}}}));
  ASSERT_TRUE(queue_->submit(std::move(commands))->wait());
  ASSERT_EQ(recorder_->dispatches().size(), 1U);
  const kernel::CommandDescription& dispatch = recorder_->dispatches()[0];
  EXPECT_EQ(dispatch.command_buffer_id, id);
  EXPECT_EQ(dispatch.queue_id, queue_->id());
  EXPECT_EQ(dispatch.index, 1U);
  EXPECT_EQ(dispatch.kernel_id, kernel->id());
  EXPECT_EQ(dispatch.kernel->name, "triple_and_add");
  EXPECT_EQ(recorder_->labels(), (std::vector<std::string>{"my label", "file.py:12", "x"}));
  EXPECT_EQ(dispatch.size.grid, (kernel::Size3{42, 1, 1}));
  EXPECT_EQ(dispatch.size.threadgroup, (kernel::Size3{16, 1, 1}));
  ASSERT_EQ(dispatch.bindings.size(), 2U);
  EXPECT_EQ(dispatch.bindings[0].buffer_id, values->id());
  EXPECT_EQ(dispatch.bindings[0].offset, 32U);
  EXPECT_EQ(dispatch.bindings[0].bytes, 168U);
  EXPECT_EQ(recorder_->buffer_bytes(), (std::vector<uint64_t>{200, 0}));
  EXPECT_EQ(dispatch.bindings[1].kind, kernel::BindingKind::kBytes);
  EXPECT_EQ(dispatch.bindings[1].bytes, 4U);
  EXPECT_EQ(recorder_->first_words(), (std::vector<uint32_t>{77, 5}));
}

TEST_P(ObserverTest, sees_nothing_after_removal) {
  device_->add_observer(recorder_);
  device_->remove_observer(recorder_.get());
  EXPECT_EQ(recorder_.use_count(), 1);
  zeros(10);
  ASSERT_TRUE(queue_->submit(queue_->command_buffer())->wait());
  EXPECT_TRUE(recorder_->events().empty());
}

TEST_P(ObserverTest, several_observers_see_the_same) {
  const auto second = std::make_shared<Recorder>();
  device_->add_observer(recorder_);
  device_->add_observer(second);
  zeros(10);
  device_->remove_observer(recorder_.get());
  zeros(10);
  EXPECT_EQ(recorder_->events().size(), 2U);
  EXPECT_EQ(second->events().size(), 4U);
}

INSTANTIATE_TEST_SUITE_P(Devices, ObserverTest, ::testing::Values(cpu_case("cpu", 2), null_case()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace assay::device_conformance
