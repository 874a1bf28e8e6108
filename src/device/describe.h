// Plain descriptions of commands for observers; made only when somebody listens.
#pragma once

#include "device/command_buffer.h"

namespace assay::device {

struct CommandPosition {
  const CommandBuffer& commands;
  uint32_t index = 0;
};

// The result points into the command.
kernel::CommandDescription describe(const DispatchCommand& command, CommandPosition position);
kernel::CommandDescription describe(const FillCommand& command, CommandPosition position);
kernel::CommandDescription describe(const CopyCommand& command, CommandPosition position);
kernel::CommandDescription describe(const MatrixProductCommand& command, CommandPosition position);
kernel::CommandDescription describe(const WaitCommand& command, CommandPosition position);
kernel::CommandDescription describe(const SignalCommand& command, CommandPosition position);
kernel::SubmitDescription describe(const CommandBuffer& commands, uint64_t submitted_ns);

}  // namespace assay::device
