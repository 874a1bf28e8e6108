// A list of commands that a queue runs in order, as one unit of submission and completion.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/kept_memory.h"
#include "base/result.h"
#include "device/command.h"
#include "device/submission.h"

namespace assay::device {

// Made by Queue::command_buffer, filled by one thread, then moved into Queue::submit. A command
// that is refused (with an error that says why) is not added; the others stay as they are.
class CommandBuffer {
 public:
  struct Identity {
    uint64_t id = 0;
    uint64_t queue_id = 0;
    std::string label;
    std::string queue_label = {};
  };
  CommandBuffer(std::shared_ptr<DeviceState> device, Identity identity);

  Result<void> dispatch(std::shared_ptr<const LoadedKernel> kernel, Bindings bindings,
                        const kernel::LaunchSize& size, CommandLabels labels = {},
                        std::shared_ptr<CheckService> checks = nullptr);
  // Sets every byte of [offset, offset + bytes).
  Result<void> fill(std::shared_ptr<Buffer> buffer, uint64_t offset, uint64_t bytes, uint8_t value,
                    CommandLabels labels = {});
  // Source and target may be one buffer and may overlap.
  Result<void> copy(CopyCommand copy);

  // The commands behind this one run once the event has reached `value`.
  Result<void> wait(std::shared_ptr<Event> event, uint64_t value);
  // Raises the event when the commands before this one are done, even if one of them failed: who
  // waits for it must not hang.
  Result<void> signal(std::shared_ptr<Event> event, uint64_t value);

  // Every matrix must lie inside its buffer.
  Result<void> matrix_product(MatrixProductCommand command);

  // Handlers run on the thread that ran the last command. They may submit; waiting there for the
  // same queue is an error.
  using CompletionHandler = std::function<void(const Submission&)>;
  void on_completed(CompletionHandler handler);

  // Commands behind one that fails are run all the same: who waits finds out by itself what depends
  // on the failed one.
  void run_all() { runs_all_ = true; }
  bool runs_all() const { return runs_all_; }

  // Makes room for that many commands at once.
  void reserve(size_t count) { commands_.reserve(count); }

  uint64_t id() const { return identity_.id; }
  uint64_t queue_id() const { return identity_.queue_id; }
  const std::string& label() const { return identity_.label; }
  const std::string& queue_label() const { return identity_.queue_label; }
  const DeviceState* device() const { return device_.get(); }
  std::span<const Command> commands() const { return commands_; }
  std::span<const CompletionHandler> completion_handlers() const { return handlers_; }
  size_t dispatch_count() const { return dispatch_count_; }
  // A rough measure of the work: threads of all grids, and bytes moved.
  uint64_t work_size() const { return work_size_; }

 private:
  Result<void> check_device(std::string_view action, const Buffer& buffer) const;

  const std::shared_ptr<DeviceState> device_;
  const Identity identity_;
  base::KeptVector<Command> commands_;
  std::vector<CompletionHandler> handlers_;
  size_t dispatch_count_ = 0;
  uint64_t work_size_ = 0;
  bool runs_all_ = false;
};

}  // namespace assay::device
