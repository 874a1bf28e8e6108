// Runs command buffers one after the other, asynchronously to the threads that submit them.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "base/result.h"
#include "device/command_buffer.h"
#include "device/device_state.h"
#include "device/submission.h"

namespace assay::device {

// Thread-safe. Command buffers run in the order of their submission, each after the one before it
// is complete. Destroying a queue first runs what was submitted; a wait for an event that has not
// been reached by then is given up, and its command buffer fails.
class Queue {
 public:
  Queue(std::shared_ptr<DeviceState> device, std::string label);
  virtual ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  std::unique_ptr<CommandBuffer> command_buffer(std::string label = {});

  // Never fails itself: errors are in the returned handle.
  virtual std::shared_ptr<Submission> submit(std::unique_ptr<CommandBuffer> commands) = 0;

  // Submits and waits. Cheaper than the two calls: on an idle queue the commands run on this thread
  // and no other thread is woken for them.
  virtual std::shared_ptr<Submission> run(std::unique_ptr<CommandBuffer> commands) = 0;

  // Waits until everything submitted before the call is complete. The error is the first one of
  // the command buffers that completed since the last wait().
  virtual Result<void> wait() = 0;

  uint64_t id() const { return id_; }
  const std::string& label() const { return label_; }
  // For command buffers from now on. Not while another thread uses the queue's label or makes its
  // command buffers.
  void set_label(std::string label) { label_ = std::move(label); }

 protected:
  const std::shared_ptr<DeviceState>& device() const { return device_; }

 private:
  const std::shared_ptr<DeviceState> device_;
  std::string label_;
  const uint64_t id_;
};

}  // namespace assay::device
