// One small class walks over the commands; after the first failure only signals are executed.
#include "device/command_runner.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string>
#include <variant>

#include "device/clock.h"

namespace assay::device {
namespace {

class CommandWalk {
 public:
  CommandWalk(const CommandBuffer& commands, DispatchRunner& runner, DeviceState& device,
              Submission& submission, const std::stop_token& stop)
      : commands_(commands),
        runner_(runner),
        device_(device),
        submission_(submission),
        recorder_(submission),
        stop_(stop) {}

  void run() {
    recorder_.running();
    for (const Command& command : commands_.commands()) {
      std::visit([this](const auto& each) { run(each); }, command);
      ++index_;
    }
    if (!device_.observers.empty()) {
      const auto description = describe(commands_, submission_.submitted_ns());
      device_.observers.notify([&](Observer& observer) {
        observer.on_complete(description, failed() ? submission_.error()->message : std::string());
      });
    }
    for (const auto& handler : commands_.completion_handlers()) handler(submission_);
  }

 private:
  bool failed() const { return submission_.error().has_value(); }
  CommandPosition position() const { return {commands_, index_}; }

  void run(const DispatchCommand& command) {
    DispatchResult& result = recorder_.dispatch(dispatch_index_++);
    if (failed()) {
      result.status = Status::kFailed;
      result.error = "not run: an earlier command of this command buffer failed";
      return;
    }
    std::optional<kernel::DispatchDescription> description;
    if (!device_.observers.empty()) {
      description = describe(command, position());
      device_.observers.notify([&](Observer& each) { each.on_dispatch_begin(*description); });
    }
    result.status = Status::kRunning;
    result.times.started_ns = now_ns();
    const Result<void> outcome = runner_.run(command, position());
    result.times.ended_ns = now_ns();
    result.status = outcome.ok() ? Status::kCompleted : Status::kFailed;
    if (!outcome) {
      result.error = outcome.error().message;
      recorder_.failed(outcome.error());
    }
    if (!description.has_value()) return;
    device_.observers.notify(
        [&](Observer& each) { each.on_dispatch_end(*description, result.times, result.error); });
  }

  void run(const FillCommand& command) {
    run_transfer(command, [&] {
      std::memset(command.buffer->data() + command.offset, command.value, command.bytes);
    });
  }

  void run(const CopyCommand& command) {
    run_transfer(command, [&] {
      std::memmove(command.target->data() + command.target_offset,
                   command.source->data() + command.source_offset, command.bytes);
    });
  }

  template <typename Transfer, typename Action>
  void run_transfer(const Transfer& command, const Action& action) {
    if (failed()) return;
    kernel::DispatchTimes times{submission_.submitted_ns(), now_ns(), 0};
    if (runner_.moves_data()) action();
    if (device_.observers.empty()) return;
    times.ended_ns = now_ns();
    const kernel::TransferDescription description = describe(command, position());
    device_.observers.notify([&](Observer& each) { each.on_transfer(description, times); });
  }

  void run(const WaitCommand& command) {
    if (failed()) return;
    if (command.event->wait(command.value, stop_)) return;
    recorder_.failed(Error{fmt::format(
        "[queue] command buffer {} '{}' waited for event value {} (it is {}) when its queue was "
        "destroyed; keep the queue until the event is signalled",
        commands_.id(), commands_.label(), command.value, command.event->value())});
  }

  void run(const HostCommand& command) {
    if (!failed() && runner_.moves_data()) command.call();
  }

  void run(const SignalCommand& command) { command.event->signal(command.value); }

  const CommandBuffer& commands_;
  DispatchRunner& runner_;
  DeviceState& device_;
  Submission& submission_;
  SubmissionRecorder recorder_;
  const std::stop_token& stop_;
  uint32_t index_ = 0;
  size_t dispatch_index_ = 0;
};

}  // namespace

void run_commands(const CommandBuffer& commands, DispatchRunner& runner, DeviceState& device,
                  Submission& submission, const std::stop_token& stop) {
  CommandWalk(commands, runner, device, submission, stop).run();
}

}  // namespace assay::device
