// Listens to everything that runs on a device: capture, timelines and checks are observers.
#pragma once

#include <string_view>

#include "kernel/description.h"

namespace assay::device {

// Callbacks come from the thread that does the work, several at once when several queues run; an
// observer guards its own state. They may allocate and submit, but must not wait for a queue.
class Observer {
 public:
  virtual ~Observer() = default;

  virtual void on_allocate(const kernel::BufferDescription&) {}
  virtual void on_free(const kernel::BufferDescription&) {}
  virtual void on_kernel_loaded(const kernel::LoadDescription&) {}
  virtual void on_queue_created(const kernel::QueueDescription&) {}
  virtual void on_queue_destroyed(const kernel::QueueDescription&) {}
  virtual void on_submit(const kernel::SubmitDescription&) {}
  virtual void on_command_begin(const kernel::CommandDescription&) {}
  // `error` is empty when the command succeeded. Commands behind one that failed are not run, and
  // nobody hears of them, except for signals.
  virtual void on_command_end(const kernel::CommandDescription&, const kernel::DispatchTimes&,
                              std::string_view /*error*/) {}
  // After the last command of the command buffer and before its completion handlers. `error` is
  // empty when all went well.
  virtual void on_complete(const kernel::SubmitDescription&, std::string_view /*error*/) {}
};

}  // namespace assay::device
