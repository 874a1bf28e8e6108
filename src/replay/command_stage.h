// Runs single commands, each on the queue it was captured on, and keeps what they change.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "replay/buffer_table.h"
#include "replay/trace_tables.h"

namespace assay::replay {

// What a run took, or why it failed.
struct RunResult {
  double time_ns = 0;
  std::string error = {};
};

// The bytes that a command writes, at some moment.
using Snapshot = std::vector<std::vector<std::byte>>;

Snapshot take_snapshot(const trace::CommandRecord& command, BufferTable& buffers);
void restore(const Snapshot& snapshot, const trace::CommandRecord& command, BufferTable& buffers);

// The caller waits for each command, so that events are reached before anybody waits for them.
class CommandStage {
 public:
  CommandStage(const TraceTables& tables, std::shared_ptr<device::Device> device);
  ~CommandStage();
  CommandStage(const CommandStage&) = delete;
  CommandStage& operator=(const CommandStage&) = delete;

  // An error when the device refuses the command; a command that fails while it runs is a result.
  Result<RunResult> run(const trace::CommandRecord& record, const device::Command& command);

  Result<void> signal(const trace::CommandRecord& record);
  // False when nobody has signalled the event so far: the wait was left out.
  Result<bool> wait(const trace::CommandRecord& record);

 private:
  class Timer;
  Result<device::Queue*> queue(Id id);

  const TraceTables& tables_;
  const std::shared_ptr<device::Device> device_;
  const std::shared_ptr<Timer> timer_;
  std::unordered_map<Id, std::unique_ptr<device::Queue>> queues_;
  std::unordered_map<Id, std::shared_ptr<device::Event>> events_;
};

}  // namespace assay::replay
