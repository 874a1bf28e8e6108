// Collects what a command holds into the structs of kernel/description.h.
#include "device/describe.h"

#include <algorithm>

namespace assay::device {
namespace {

using kernel::Access;
using kernel::BindingDescription;
using kernel::CommandDescription;
using kernel::CommandKind;

CommandDescription place(CommandKind kind, CommandPosition position) {
  CommandDescription description;
  description.kind = kind;
  description.queue_id = position.commands.queue_id();
  description.command_buffer_id = position.commands.id();
  description.index = position.index;
  return description;
}

CommandDescription place(CommandKind kind, CommandPosition position, const CommandLabels& labels) {
  CommandDescription description = place(kind, position);
  description.label = labels.label;
  description.origin = labels.origin;
  description.arrays = labels.arrays;
  description.role = labels.role;
  description.bytes_read = labels.bytes_read;
  description.bytes_written = labels.bytes_written;
  description.reads_from = labels.reads_from;
  return description;
}

BindingDescription use(uint32_t slot, Access access, const Buffer& buffer, uint64_t offset,
                       uint64_t bytes) {
  return {.kind = kernel::BindingKind::kBuffer,
          .slot = slot,
          .access = access,
          .buffer_id = buffer.id(),
          .offset = offset,
          .bytes = bytes,
          .data = buffer.data() + offset,
          .buffer = buffer.contents(),
          .buffer_label = buffer.label()};
}

// What the compiler found out; a kernel without such facts may do anything.
Access access_of(const kernel::KernelInfo& info, const Bindings::Entry& entry) {
  const kernel::Argument* argument = info.find_argument(kernel::ArgumentKind::kBuffer, entry.slot);
  return argument == nullptr ? Access::kNone : argument->access;
}

}  // namespace

CommandDescription describe(const DispatchCommand& command, CommandPosition position) {
  static const CommandLabels kNone;
  CommandDescription description =
      place(CommandKind::kDispatch, position, command.labels ? *command.labels : kNone);
  description.kernel_id = command.kernel->id();
  description.kernel = &command.kernel->info();
  description.kernel_origin = command.kernel->origin();
  description.size = command.size;
  return description;
}

std::vector<BindingDescription> describe_bindings(const DispatchCommand& command) {
  const kernel::KernelInfo& info = command.kernel->info();
  std::vector<BindingDescription> bindings;
  bindings.reserve(command.bindings.entries().size());
  for (const Bindings::Entry& entry : command.bindings.entries()) {
    if (entry.kind == kernel::BindingKind::kBuffer) {
      bindings.push_back(
          use(entry.slot, access_of(info, entry), *entry.buffer, entry.offset, entry.bytes));
      continue;
    }
    BindingDescription binding{.kind = entry.kind, .slot = entry.slot, .bytes = entry.bytes};
    if (entry.kind == kernel::BindingKind::kBytes) {
      binding.access = Access::kRead;
      binding.data = command.bindings.data(entry);
    }
    bindings.push_back(binding);
  }
  return bindings;
}

CommandDescription describe(const FillCommand& command, CommandPosition position) {
  CommandDescription description = place(CommandKind::kFill, position, command.labels);
  description.fill_value = command.value;
  return description;
}

std::vector<BindingDescription> describe_bindings(const FillCommand& command) {
  return {use(1, Access::kWrite, *command.buffer, command.offset, command.bytes)};
}

CommandDescription describe(const CopyCommand& command, CommandPosition position) {
  return place(CommandKind::kCopy, position, command.labels);
}

std::vector<BindingDescription> describe_bindings(const CopyCommand& command) {
  return {use(0, Access::kRead, *command.source, command.source_offset, command.bytes),
          use(1, Access::kWrite, *command.target, command.target_offset, command.bytes)};
}

CommandDescription describe(const MatrixProductCommand& command, CommandPosition position) {
  CommandDescription description = place(CommandKind::kMatrixProduct, position, command.labels);
  description.product = &command.product;
  return description;
}

std::vector<BindingDescription> describe_bindings(const MatrixProductCommand& command) {
  auto whole = [&](uint32_t slot, Access access, const MatrixProductCommand::Place& matrix) {
    return use(slot, access, *matrix.buffer, matrix.offset, matrix.buffer->size() - matrix.offset);
  };
  const kernel::MatrixProduct& product = command.product;
  BindingDescription result = whole(2, Access::kWrite, command.c);
  result.bytes = static_cast<uint64_t>(product.m) * static_cast<uint64_t>(product.n) *
                 product.products.size() * kernel::matrix_element_bytes(product.element);
  return {whole(0, Access::kRead, command.a), whole(1, Access::kRead, command.b), result};
}

CommandDescription describe(const WaitCommand& command, CommandPosition position) {
  CommandDescription description = place(CommandKind::kWait, position);
  description.event_id = command.event->id();
  description.event_value = command.value;
  return description;
}

CommandDescription describe(const SignalCommand& command, CommandPosition position) {
  CommandDescription description = place(CommandKind::kSignal, position);
  description.event_id = command.event->id();
  description.event_value = command.value;
  return description;
}

kernel::SubmitDescription describe(const CommandBuffer& commands, uint64_t submitted_ns) {
  return {commands.queue_id(), commands.queue_label(),     commands.id(),
          commands.label(),    commands.commands().size(), submitted_ns};
}

}  // namespace assay::device
