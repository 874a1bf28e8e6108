// Listens to everything that runs on a device: capture, timelines and checks are observers.
#pragma once

#include <cstdint>
#include <string_view>

#include "kernel/description.h"

namespace assay::device {

// What an observer needs to hear; less costs less.
enum class Interest : uint8_t {
  kTimes,  // no on_command_begin, and commands without their bindings
  kEverything,
};

// Callbacks come from the thread that does the work, several at once when several queues run; an
// observer guards its own state. They may allocate and submit, but must not wait for a queue.
class Observer {
 public:
  virtual ~Observer() = default;

  // Asked once, when it is added.
  virtual Interest interest() const { return Interest::kEverything; }

  virtual void on_allocate(const kernel::BufferDescription&) {}
  virtual void on_free(const kernel::BufferDescription&) {}
  virtual void on_kernel_loaded(const kernel::LoadDescription&) {}
  virtual void on_queue_created(const kernel::QueueDescription&) {}
  virtual void on_queue_destroyed(const kernel::QueueDescription&) {}
  virtual void on_host_span(const kernel::HostSpanDescription&) {}
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
