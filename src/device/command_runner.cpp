// One small class walks over the commands; after the first failure only signals are executed.
#include "device/command_runner.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <variant>

#include "device/clock.h"

namespace assay::device {
namespace {

template <typename AnyCommand>
constexpr bool has_bindings =
    !std::is_same_v<AnyCommand, WaitCommand> && !std::is_same_v<AnyCommand, SignalCommand>;

class CommandWalk {
 public:
  CommandWalk(const CommandBuffer& commands, DispatchRunner& runner, DeviceState& device,
              Submission& submission, const std::stop_token& stop)
      : commands_(commands),
        runner_(runner),
        device_(device),
        observers_(device.observers),
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
      observers_.notify([&](Observer& observer) {
        observer.on_complete(description, failed() ? submission_.error()->message : std::string());
      });
    }
    for (const auto& handler : commands_.completion_handlers()) handler(submission_);
  }

 private:
  bool failed() const { return submission_.error().has_value(); }
  bool skips() const { return failed() && !commands_.runs_all(); }
  CommandPosition position() const { return {commands_, index_}; }

  void run(const DispatchCommand& command) {
    DispatchResult& result = recorder_.dispatch(dispatch_index_++);
    if (skips()) {
      result.status = Status::kFailed;
      result.error = "not run: an earlier command of this command buffer failed";
      return;
    }
    result.status = Status::kRunning;
    const Result<void> outcome =
        observe(command, result.times, [&] { return runner_.run(command, position()); });
    result.status = outcome.ok() ? Status::kCompleted : Status::kFailed;
    if (outcome) return;
    result.error = outcome.error().message;
    recorder_.failed(outcome.error());
  }

  void run(const FillCommand& command) {
    run_on_host(command, [&]() -> Result<void> {
      std::memset(command.buffer->data() + command.offset, command.value, command.bytes);
      return {};
    });
  }

  void run(const CopyCommand& command) {
    run_on_host(command, [&]() -> Result<void> {
      std::memmove(command.target->data() + command.target_offset,
                   command.source->data() + command.source_offset, command.bytes);
      return {};
    });
  }

  void run(const MatrixProductCommand& command) {
    run_on_host(command, [&] { return runner_.run(command); });
  }

  void run(const WaitCommand& command) {
    run_on_host(command, [&]() -> Result<void> {
      if (command.event->wait(command.value, stop_)) return {};
      return Error{fmt::format(
          "[queue] command buffer {} '{}' waited for event value {} (it is {}) when its queue was "
          "destroyed; keep the queue until the event is signalled",
          commands_.id(), commands_.label(), command.value, command.event->value())};
    });
  }

  // Observers hear of a signal before whoever waits for it goes on.
  void run(const SignalCommand& command) {
    kernel::DispatchTimes times{submission_.submitted_ns(), 0, 0};
    (void)observe(command, times, []() -> Result<void> { return {}; });
    command.event->signal(command.value);
  }

  template <typename AnyCommand, typename Action>
  void run_on_host(const AnyCommand& command, const Action& action) {
    if (skips()) return;
    constexpr bool is_wait = std::is_same_v<AnyCommand, WaitCommand>;
    kernel::DispatchTimes times{submission_.submitted_ns(), 0, 0};
    const Result<void> outcome = observe(command, times, [&]() -> Result<void> {
      return is_wait || runner_.moves_data() ? action() : Result<void>();
    });
    if (!outcome) recorder_.failed(outcome.error());
  }

  // Runs the action between the two calls of the observers and measures it.
  template <typename AnyCommand, typename Action>
  Result<void> observe(const AnyCommand& command, kernel::DispatchTimes& times,
                       const Action& action) {
    std::optional<kernel::CommandDescription> description;
    if (!device_.observers.empty()) {
      description = describe(command, position());
      if (device_.observers.interest() == Interest::kEverything) {
        if constexpr (has_bindings<AnyCommand>) description->bindings = describe_bindings(command);
        observers_.notify([&](Observer& each) { each.on_command_begin(*description); });
      }
    }
    times.started_ns = now_ns();
    Result<void> outcome = action();
    times.ended_ns = now_ns();
    if (!description.has_value()) return outcome;
    const std::string_view error = outcome ? std::string_view() : outcome.error().message;
    observers_.notify([&](Observer& each) { each.on_command_end(*description, times, error); });
    return outcome;
  }

  const CommandBuffer& commands_;
  DispatchRunner& runner_;
  DeviceState& device_;
  ObserverList::View observers_;
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
