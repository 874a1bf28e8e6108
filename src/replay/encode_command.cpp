// See encode_command.h.
#include "replay/encode_command.h"

#include <fmt/format.h>

#include <type_traits>

#include "base/ensure.h"
#include "replay/command_scan.h"

namespace assay::replay {
namespace {

using trace::BindingKind;
using trace::BindingRecord;
using trace::CommandKind;
using trace::CommandRecord;

struct Place {
  std::shared_ptr<device::Buffer> buffer;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

Result<Place> find_place(const CommandRecord& command, uint32_t slot,
                         const EncodeContext& context) {
  const BindingRecord* binding = find_buffer(command, slot);
  ASSAY_ENSURE(binding != nullptr, "commands are checked when they are read");
  Result<std::shared_ptr<device::Buffer>> buffer = context.buffers.use(*binding->buffer);
  if (!buffer) return buffer.error();
  return Place{*buffer, static_cast<uint64_t>(binding->start),
               static_cast<uint64_t>(binding->bytes)};
}

Result<device::Command> encode_dispatch(const CommandRecord& command, device::CommandLabels labels,
                                        const EncodeContext& context) {
  device::Bindings bindings;
  for (const BindingRecord& binding : command.bindings) {
    if (binding.kind == BindingKind::kThreadgroupMemory) {
      bindings.threadgroup_memory(binding.slot, static_cast<uint64_t>(binding.bytes));
    } else if (binding.kind == BindingKind::kBytes) {
      const Result<trace::Document::Content> content =
          context.document.content(*binding.content, binding.bytes);
      if (!content) return content.error();
      bindings.bytes(binding.slot, content->bytes);
    } else {
      Result<std::shared_ptr<device::Buffer>> buffer = context.buffers.use(*binding.buffer);
      if (!buffer) return buffer.error();
      bindings.buffer(binding.slot, *buffer, static_cast<uint64_t>(binding.start));
    }
  }
  return device::Command(
      device::DispatchCommand{context.kernels.kernels.at(*command.kernel).kernel,
                              std::move(bindings), context.tables.launches.at(*command.launch),
                              std::make_shared<const device::CommandLabels>(std::move(labels))});
}

Result<device::Command> encode_fill(const CommandRecord& command, device::CommandLabels labels,
                                    const EncodeContext& context) {
  const Result<Place> target = find_place(command, 1, context);
  if (!target) return target.error();
  return device::Command(device::FillCommand{target->buffer, target->offset, target->bytes,
                                             static_cast<uint8_t>(*command.value),
                                             std::move(labels)});
}

Result<device::Command> encode_copy(const CommandRecord& command, device::CommandLabels labels,
                                    const EncodeContext& context) {
  const Result<Place> source = find_place(command, 0, context);
  if (!source) return source.error();
  const Result<Place> target = find_place(command, 1, context);
  if (!target) return target.error();
  return device::Command(device::CopyCommand{source->buffer, source->offset, target->buffer,
                                             target->offset, source->bytes, std::move(labels)});
}

Result<device::Command> encode_product(const CommandRecord& command, device::CommandLabels labels,
                                       const EncodeContext& context) {
  Result<kernel::MatrixProduct> product = parse_product(context.tables.texts.at(*command.product));
  if (!product) {
    return context.document.error(fmt::format("table 'texts', row with id {}: {}", *command.product,
                                              product.error().message));
  }
  device::MatrixProductCommand encoded{std::move(*product), {}, {}, {}, std::move(labels)};
  device::MatrixProductCommand::Place* places[] = {&encoded.a, &encoded.b, &encoded.c};
  for (uint32_t slot = 0; slot < 3; ++slot) {
    const Result<Place> place = find_place(command, slot, context);
    if (!place) return place.error();
    *places[slot] = {place->buffer, place->offset};
  }
  // Buffers here may be larger than the captured ones: the device would not notice.
  const kernel::MatrixProduct& made = encoded.product;
  const uint64_t results = static_cast<uint64_t>(made.m) * static_cast<uint64_t>(made.n);
  uint64_t bytes = 0;
  const bool is_huge = __builtin_mul_overflow(
      results, made.products.size() * kernel::matrix_element_bytes(made.element), &bytes);
  if (is_huge || bytes != static_cast<uint64_t>(find_buffer(command, 2)->bytes)) {
    return context.document.error(fmt::format(
        "command {}: the sizes of the matrix product are not those of its result", command.id));
  }
  return device::Command(std::move(encoded));
}

// The arrays of the capture, so that tools that watch the replay know them too.
std::vector<kernel::ArrayDescription> describe_arrays(const CommandRecord& command,
                                                      const EncodeContext& context) {
  std::vector<kernel::ArrayDescription> arrays;
  for (const BindingRecord& binding : command.bindings) {
    if (!binding.array || binding.kind != BindingKind::kBuffer) continue;
    const ArrayRow& row = context.tables.arrays.at(*binding.array);
    arrays.push_back({.slot = binding.slot,
                      .name = row.name,
                      .dtype = row.dtype,
                      .shape = row.shape,
                      .strides = row.strides,
                      .low = binding.range_begin - binding.start,
                      .high = binding.range_end - binding.start});
  }
  return arrays;
}

}  // namespace

Result<device::Command> encode_work(const CommandRecord& command, const EncodeContext& context) {
  device::CommandLabels labels{context.tables.texts.at(command.label),
                               context.tables.texts.at(command.site),
                               describe_arrays(command, context)};
  switch (command.kind) {
    case CommandKind::kDispatch: return encode_dispatch(command, std::move(labels), context);
    case CommandKind::kFill: return encode_fill(command, std::move(labels), context);
    case CommandKind::kCopy: return encode_copy(command, std::move(labels), context);
    case CommandKind::kMatrixProduct: return encode_product(command, std::move(labels), context);
    case CommandKind::kWait:
    case CommandKind::kSignal: break;
  }
  ASSAY_ENSURE(false, "waits and signals have no work");
}

Result<void> add_command(device::CommandBuffer& commands, device::Command command) {
  using device::DispatchCommand;
  return std::visit(
      [&]<typename T>(T& each) -> Result<void> {
        if constexpr (std::is_same_v<T, DispatchCommand>) {
          return commands.dispatch(std::move(each.kernel), std::move(each.bindings), each.size,
                                   each.labels ? *each.labels : device::CommandLabels());
        } else if constexpr (std::is_same_v<T, device::FillCommand>) {
          return commands.fill(std::move(each.buffer), each.offset, each.bytes, each.value,
                               std::move(each.labels));
        } else if constexpr (std::is_same_v<T, device::CopyCommand>) {
          return commands.copy(std::move(each));
        } else if constexpr (std::is_same_v<T, device::MatrixProductCommand>) {
          return commands.matrix_product(std::move(each));
        } else if constexpr (std::is_same_v<T, device::WaitCommand>) {
          return commands.wait(std::move(each.event), each.value);
        } else {
          return commands.signal(std::move(each.event), each.value);
        }
      },
      command);
}

}  // namespace assay::replay
