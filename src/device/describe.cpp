// Copies what a command holds into the structs of kernel/dispatch.h.
#include "device/describe.h"

namespace assay::device {

kernel::DispatchDescription describe(const DispatchCommand& command, CommandPosition position) {
  kernel::DispatchDescription description;
  description.queue_id = position.commands.queue_id();
  description.command_buffer_id = position.commands.id();
  description.index = position.index;
  description.kernel_id = command.kernel->id();
  description.kernel = command.kernel->info().name;
  description.label = command.label;
  description.origin = command.origin;
  description.size = command.size;
  description.static_threadgroup_bytes = command.kernel->info().static_threadgroup_bytes;
  for (const Bindings::Entry& entry : command.bindings.entries()) {
    kernel::BindingDescription& binding = description.bindings.emplace_back();
    binding.kind = entry.kind;
    binding.slot = entry.slot;
    binding.bytes = entry.bytes;
    if (entry.kind != kernel::BindingKind::kThreadgroupMemory) {
      binding.data = command.bindings.data(entry);
    }
    if (entry.buffer == nullptr) continue;
    binding.buffer_id = entry.buffer->id();
    binding.offset = entry.offset;
    binding.buffer_label = entry.buffer->label();
  }
  return description;
}

kernel::TransferDescription describe(const FillCommand& command, CommandPosition position) {
  kernel::TransferDescription description;
  description.kind = kernel::TransferKind::kFill;
  description.queue_id = position.commands.queue_id();
  description.command_buffer_id = position.commands.id();
  description.index = position.index;
  description.target_buffer_id = command.buffer->id();
  description.target_offset = command.offset;
  description.bytes = command.bytes;
  description.value = command.value;
  return description;
}

kernel::TransferDescription describe(const CopyCommand& command, CommandPosition position) {
  kernel::TransferDescription description;
  description.kind = kernel::TransferKind::kCopy;
  description.queue_id = position.commands.queue_id();
  description.command_buffer_id = position.commands.id();
  description.index = position.index;
  description.source_buffer_id = command.source->id();
  description.source_offset = command.source_offset;
  description.target_buffer_id = command.target->id();
  description.target_offset = command.target_offset;
  description.bytes = command.bytes;
  return description;
}

kernel::SubmitDescription describe(const CommandBuffer& commands, uint64_t submitted_ns) {
  return {commands.queue_id(), commands.id(), commands.label(), commands.commands().size(),
          submitted_ns};
}

}  // namespace assay::device
