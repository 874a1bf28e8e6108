// Plain descriptions of commands for observers; made only when somebody listens.
#pragma once

#include "device/command_buffer.h"

namespace assay::device {

struct CommandPosition {
  const CommandBuffer& commands;
  uint32_t index = 0;
};

// The results point into the command. Without bindings, which take longer.
kernel::CommandDescription describe(const DispatchCommand& command, CommandPosition position);
kernel::CommandDescription describe(const FillCommand& command, CommandPosition position);
kernel::CommandDescription describe(const CopyCommand& command, CommandPosition position);
kernel::CommandDescription describe(const MatrixProductCommand& command, CommandPosition position);
kernel::CommandDescription describe(const WaitCommand& command, CommandPosition position);
kernel::CommandDescription describe(const SignalCommand& command, CommandPosition position);

std::vector<kernel::BindingDescription> describe_bindings(const DispatchCommand& command);
std::vector<kernel::BindingDescription> describe_bindings(const FillCommand& command);
std::vector<kernel::BindingDescription> describe_bindings(const CopyCommand& command);
std::vector<kernel::BindingDescription> describe_bindings(const MatrixProductCommand& command);

kernel::SubmitDescription describe(const CommandBuffer& commands, uint64_t submitted_ns);

}  // namespace assay::device
