// Checks commands and keeps them in order.
#include "device/command_buffer.h"

#include <fmt/format.h>

#include <utility>

#include "device/validate.h"

namespace assay::device {

CommandBuffer::CommandBuffer(std::shared_ptr<DeviceState> device, Identity identity)
    : device_(std::move(device)), identity_(std::move(identity)) {}

Result<void> CommandBuffer::dispatch(std::shared_ptr<const LoadedKernel> kernel, Bindings bindings,
                                     const kernel::LaunchSize& size, CommandLabels labels,
                                     std::shared_ptr<CheckService> checks) {
  if (kernel == nullptr) return Error{"[dispatch] the kernel is null; load it first"};
  if (kernel->device() != device_.get()) {
    return Error{
        fmt::format("[dispatch] kernel '{}' was loaded on another device ('{}'); load it on "
                    "'{}'",
                    kernel->info().name, kernel->device()->name, device_->name)};
  }
  if (Result<void> valid = validate_dispatch(*kernel, bindings, size); !valid) return valid;
  std::shared_ptr<const CommandLabels> texts;
  if (!labels.is_empty()) texts = std::make_shared<const CommandLabels>(std::move(labels));
  commands_.emplace_back(std::in_place_type<DispatchCommand>, std::move(kernel),
                         std::move(bindings), size, std::move(texts), std::move(checks));
  ++dispatch_count_;
  work_size_ += size.threads_per_grid().count();
  return {};
}

Result<void> CommandBuffer::check_device(std::string_view action, const Buffer& buffer) const {
  if (buffer.device() == device_.get()) return {};
  return Error{fmt::format("{} buffer {} belongs to another device ('{}'); allocate it on '{}'",
                           action, buffer.id(), buffer.device()->name, device_->name)};
}

Result<void> CommandBuffer::fill(std::shared_ptr<Buffer> buffer, uint64_t offset, uint64_t bytes,
                                 uint8_t value, CommandLabels labels) {
  if (Result<void> range = validate_range("[fill]", buffer.get(), offset, bytes); !range) {
    return range;
  }
  if (Result<void> device = check_device("[fill]", *buffer); !device) return device;
  work_size_ += bytes;
  commands_.push_back(FillCommand{std::move(buffer), offset, bytes, value, std::move(labels)});
  return {};
}

Result<void> CommandBuffer::copy(CopyCommand copy) {
  Result<void> range =
      validate_range("[copy] source:", copy.source.get(), copy.source_offset, copy.bytes);
  if (range) {
    range = validate_range("[copy] target:", copy.target.get(), copy.target_offset, copy.bytes);
  }
  if (range) range = check_device("[copy] source:", *copy.source);
  if (range) range = check_device("[copy] target:", *copy.target);
  if (!range) return range;
  work_size_ += copy.bytes;
  commands_.push_back(std::move(copy));
  return {};
}

Result<void> CommandBuffer::wait(std::shared_ptr<Event> event, uint64_t value) {
  if (event == nullptr) return Error{"[wait] the event is null; create it first"};
  commands_.push_back(WaitCommand{std::move(event), value});
  return {};
}

Result<void> CommandBuffer::signal(std::shared_ptr<Event> event, uint64_t value) {
  if (event == nullptr) return Error{"[signal] the event is null; create it first"};
  commands_.push_back(SignalCommand{std::move(event), value});
  return {};
}

Result<void> CommandBuffer::matrix_product(MatrixProductCommand command) {
  if (Result<void> valid = validate_matrix_product(command); !valid) return valid;
  for (const MatrixProductCommand::Place* place : {&command.a, &command.b, &command.c}) {
    if (Result<void> device = check_device("[matrix product]", *place->buffer); !device) {
      return device;
    }
    work_size_ += place->buffer->size();
  }
  commands_.push_back(std::move(command));
  return {};
}

void CommandBuffer::on_completed(CompletionHandler handler) {
  handlers_.push_back(std::move(handler));
}

}  // namespace assay::device
