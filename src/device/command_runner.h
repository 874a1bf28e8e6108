// Runs the commands of one command buffer in order on the calling thread: times, errors, observers.
// How a kernel is executed is left to the device's DispatchRunner.
#pragma once

#include <stop_token>

#include "base/result.h"
#include "device/command_buffer.h"
#include "device/describe.h"
#include "device/device_state.h"
#include "device/submission.h"

namespace assay::device {

// The device's part. Called by one thread per queue, by several queues at once.
class DispatchRunner {
 public:
  virtual ~DispatchRunner() = default;
  // Returns when all threads of the grid are done.
  virtual Result<void> run(const DispatchCommand& command, const CommandPosition& position) = 0;
  // Called only where moves_data() is true.
  virtual Result<void> run(const MatrixProductCommand& command) = 0;
  // False for a device that executes nothing: then fills and copies do nothing either.
  virtual bool moves_data() const { return true; }
};

// Runs all commands, then the completion handlers, and records everything but done(). A stop
// request ends waits for events.
void run_commands(const CommandBuffer& commands, DispatchRunner& runner, DeviceState& device,
                  Submission& submission, const std::stop_token& stop);

}  // namespace assay::device
