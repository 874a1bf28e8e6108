// The commands a command buffer holds. All were validated when they were added.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "device/bindings.h"
#include "device/event.h"
#include "device/loaded_kernel.h"
#include "kernel/dispatch.h"

namespace assay::device {

struct DispatchCommand {
  std::shared_ptr<const LoadedKernel> kernel;
  Bindings bindings;
  kernel::LaunchSize size;
  std::string label;
  std::string origin;
};

struct FillCommand {
  std::shared_ptr<Buffer> buffer;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint8_t value = 0;
};

struct CopyCommand {
  std::shared_ptr<Buffer> source;
  uint64_t source_offset = 0;
  std::shared_ptr<Buffer> target;
  uint64_t target_offset = 0;
  uint64_t bytes = 0;
};

struct WaitCommand {
  std::shared_ptr<Event> event;
  uint64_t value = 0;
};

struct SignalCommand {
  std::shared_ptr<Event> event;
  uint64_t value = 0;
};

// A library call on the host in its place among the commands, such as a dense matrix product. The
// call may use the buffers' contents and must not touch the queue.
struct HostCommand {
  std::string label;
  std::vector<std::shared_ptr<Buffer>> buffers;
  std::function<void()> call;
};

using Command = std::variant<DispatchCommand, FillCommand, CopyCommand, WaitCommand, SignalCommand,
                             HostCommand>;

}  // namespace assay::device
