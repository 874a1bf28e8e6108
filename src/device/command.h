// The commands a command buffer holds. All were validated when they were added.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "device/bindings.h"
#include "device/event.h"
#include "device/launch_checks.h"
#include "device/loaded_kernel.h"
#include "kernel/description.h"

namespace assay::device {

// Texts for people and tools; they do not change what runs.
struct CommandLabels {
  std::string label;
  std::string origin;  // where the command comes from, in the caller's words
  std::vector<kernel::ArrayDescription> arrays = {};
  // See kernel::CommandDescription.
  kernel::CommandRole role = kernel::CommandRole::kUnknown;
  uint64_t bytes_read = 0, bytes_written = 0;
  std::vector<kernel::CommandPlace> reads_from = {};

  bool is_empty() const {
    return label.empty() && origin.empty() && arrays.empty() &&
           role == kernel::CommandRole::kUnknown && bytes_read == 0 && bytes_written == 0 &&
           reads_from.empty();
  }
};

// Most commands are dispatches, and most of those have no labels.
struct DispatchCommand {
  std::shared_ptr<const LoadedKernel> kernel;
  Bindings bindings;
  kernel::LaunchSize size;
  std::shared_ptr<const CommandLabels> labels;  // null: none
  // Who watches this command, whose kernel was built for that; null: whoever watches the device.
  std::shared_ptr<CheckService> checks = nullptr;
};

struct FillCommand {
  std::shared_ptr<Buffer> buffer;
  uint64_t offset = 0;
  uint64_t bytes = 0;
  uint8_t value = 0;
  CommandLabels labels = {};
};

struct CopyCommand {
  std::shared_ptr<Buffer> source;
  uint64_t source_offset = 0;
  std::shared_ptr<Buffer> target;
  uint64_t target_offset = 0;
  uint64_t bytes = 0;
  CommandLabels labels = {};
};

struct WaitCommand {
  std::shared_ptr<Event> event;
  uint64_t value = 0;
};

struct SignalCommand {
  std::shared_ptr<Event> event;
  uint64_t value = 0;
};

struct MatrixProductCommand {
  // A matrix, or the first of a batch.
  struct Place {
    std::shared_ptr<Buffer> buffer;
    uint64_t offset = 0;  // bytes
  };
  kernel::MatrixProduct product;
  Place a, b, c;
  CommandLabels labels = {};
};

using Command = std::variant<DispatchCommand, FillCommand, CopyCommand, WaitCommand, SignalCommand,
                             MatrixProductCommand>;

}  // namespace assay::device
