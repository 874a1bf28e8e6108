// See command_stage.h.
#include "replay/command_stage.h"

#include <fmt/format.h>

#include <cstring>

#include "replay/command_scan.h"
#include "replay/encode_command.h"

namespace assay::replay {

// One command runs at a time, and whoever waits for it reads the time behind it.
class CommandStage::Timer final : public device::Observer {
 public:
  device::Interest interest() const override { return device::Interest::kTimes; }
  void on_command_end(const kernel::CommandDescription&, const kernel::DispatchTimes& times,
                      std::string_view) override {
    time_ns = static_cast<double>(times.ended_ns - times.started_ns);
  }
  double time_ns = 0;
};

CommandStage::CommandStage(const TraceTables& tables, std::shared_ptr<device::Device> device)
    : tables_(tables), device_(std::move(device)), timer_(std::make_shared<Timer>()) {
  device_->add_observer(timer_);
}

CommandStage::~CommandStage() { device_->remove_observer(timer_.get()); }

Result<device::Queue*> CommandStage::queue(Id id) {
  std::unique_ptr<device::Queue>& known = queues_[id];
  if (known) return known.get();
  Result<std::unique_ptr<device::Queue>> made = device_->create_queue(tables_.queues.at(id));
  if (!made) return made.error();
  known = std::move(*made);
  return known.get();
}

Result<RunResult> CommandStage::run(const trace::CommandRecord& record,
                                    const device::Command& command) {
  const trace::CommandBufferRecord& unit = tables_.command_buffers.at(record.command_buffer);
  const Result<device::Queue*> on = queue(unit.queue);
  if (!on) return on.error();
  std::unique_ptr<device::CommandBuffer> commands =
      (*on)->command_buffer(tables_.texts.at(unit.label));
  if (const Result<void> added = add_command(*commands, command); !added) {
    return Error{fmt::format("command {}: {}", record.id, added.error().message)};
  }
  const std::shared_ptr<device::Submission> done = (*on)->run(std::move(commands));
  if (const Result<void> waited = done->wait(); !waited) {
    return RunResult{timer_->time_ns, waited.error().message};
  }
  return RunResult{timer_->time_ns};
}

Result<void> CommandStage::signal(const trace::CommandRecord& record) {
  std::shared_ptr<device::Event>& event = events_[*record.event];
  if (!event) event = device_->create_event();
  const Result<RunResult> signalled =
      run(record, device::SignalCommand{event, static_cast<uint64_t>(*record.value)});
  if (!signalled) return signalled.error();
  return {};
}

Result<bool> CommandStage::wait(const trace::CommandRecord& record) {
  const auto event = events_.find(*record.event);
  const auto value = static_cast<uint64_t>(*record.value);
  if (event == events_.end() || event->second->value() < value) return false;
  const Result<RunResult> waited = run(record, device::WaitCommand{event->second, value});
  if (!waited) return waited.error();
  return true;
}

Snapshot take_snapshot(const trace::CommandRecord& command, BufferTable& buffers) {
  Snapshot snapshot;
  for (const trace::BindingRecord& binding : command.bindings) {
    if (!is_written(binding)) continue;
    const std::span<const std::byte> bytes = buffers.range(binding);
    snapshot.emplace_back(bytes.begin(), bytes.end());
  }
  return snapshot;
}

void restore(const Snapshot& snapshot, const trace::CommandRecord& command, BufferTable& buffers) {
  size_t next = 0;
  for (const trace::BindingRecord& binding : command.bindings) {
    if (!is_written(binding)) continue;
    const std::vector<std::byte>& bytes = snapshot[next++];
    if (!bytes.empty()) std::memcpy(buffers.range(binding).data(), bytes.data(), bytes.size());
  }
}

}  // namespace assay::replay
