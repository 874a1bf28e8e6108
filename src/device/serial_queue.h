// The queue of devices that compute on the host: one thread of its own runs command buffers in
// order, and a thread that waits runs them itself if they have not been started. Where callers wait
// for small work right after submitting it, the queue's thread learns to leave it to them.
#pragma once

#include <memory>
#include <string>
#include <thread>

#include "device/command_runner.h"
#include "device/queue.h"

namespace assay::device {

class SerialQueue : public Queue {
 public:
  // Fails when the system gives no thread.
  static Result<std::unique_ptr<Queue>> create(std::shared_ptr<DeviceState> device,
                                               std::shared_ptr<DispatchRunner> runner,
                                               std::string label);
  ~SerialQueue() override;

  std::shared_ptr<Submission> submit(std::unique_ptr<CommandBuffer> commands) override;
  std::shared_ptr<Submission> run(std::unique_ptr<CommandBuffer> commands) override;
  Result<void> wait() override;

 private:
  class Core;
  // Null when the command buffer can be submitted here.
  std::shared_ptr<Submission> reject_foreign(const CommandBuffer* commands);
  SerialQueue(std::shared_ptr<DeviceState> device, std::shared_ptr<DispatchRunner> runner,
              std::string label);

  // Shared with submissions, which may be waited for while the queue is being destroyed.
  const std::shared_ptr<Core> core_;
  std::thread thread_;
};

}  // namespace assay::device
