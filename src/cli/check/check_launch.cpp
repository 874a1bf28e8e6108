// See check_launch.h.
#include "cli/check/check_launch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/argument_type.h"
#include "cli/check/number_type.h"
#include "cli/source_options.h"

namespace assay::cli {
namespace {

using kernel::Argument;
using kernel::ArgumentKind;

Error argument_error(const FileArgument& given, const Argument& slot, std::string_view what) {
  return Error{fmt::format("'{}' {}; the argument is {}", given.path, what, argument_text(slot))};
}

// The arguments that a host binds.
std::vector<const Argument*> host_arguments(const kernel::KernelInfo& info) {
  std::vector<const Argument*> result;
  for (const Argument& argument : info.arguments) {
    if (argument.kind != ArgumentKind::kThreadAttribute) result.push_back(&argument);
  }
  return result;
}

std::string names_of(std::span<const Argument* const> arguments) {
  std::vector<std::string> names;
  for (const Argument* argument : arguments) names.push_back(argument->name);
  return names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "));
}

class LaunchBinder {
 public:
  LaunchBinder(device::Device& device, MadeArrays& arrays) : device_(device), arrays_(arrays) {}

  Result<void> bind(const FileArgument& given, const Argument& slot) {
    const bool wants_memory = slot.kind == ArgumentKind::kThreadgroupMemory;
    if (wants_memory != std::holds_alternative<ThreadgroupMemory>(given.value)) {
      return argument_error(
          given, slot,
          wants_memory ? R"(must be {"threadgroup_bytes": N})" : "gives threadgroup memory");
    }
    return std::visit([&](const auto& value) { return bind_value(given, slot, value); },
                      given.value);
  }

  BoundLaunch take() { return std::move(result_); }

 private:
  Result<void> bind_value(const FileArgument& /*given*/, const Argument& slot,
                          const ThreadgroupMemory& memory) {
    result_.bindings.threadgroup_memory(slot.slot, memory.bytes);
    return {};
  }

  Result<void> bind_value(const FileArgument& given, const Argument& slot,
                          const NumberValue& value) {
    const std::optional<ValueType> type = find_element_type(slot.type);
    if (!slot.is_reference || !type) {
      return argument_error(given, slot,
                            type ? R"(is a number; write {"type": …, "shape": …})"
                                 : R"(is a number; write {"values": …} or {"bytes": …})");
    }
    Result<std::vector<std::byte>> bytes = parse_value(*type, value.text);
    if (!bytes) return Error{fmt::format("'{}': {}", given.path, bytes.error().message)};
    // Packed types have the same components without the gap behind the third.
    if (slot.element_bytes < bytes->size()) bytes->resize(slot.element_bytes);
    result_.bindings.bytes(slot.slot, *bytes);
    return {};
  }

  Result<void> bind_value(const FileArgument& given, const Argument& slot,
                          const BytesValue& value) {
    if (slot.is_reference && value.bytes.size() != slot.element_bytes) {
      return argument_error(
          given, slot,
          fmt::format("has {} bytes instead of {}", value.bytes.size(), slot.element_bytes));
    }
    result_.bindings.bytes(slot.slot, value.bytes);
    return {};
  }

  Result<void> bind_value(const FileArgument& given, const Argument& slot, const NewArray& array) {
    if (!array.name.empty() && arrays_.contains(array.name)) {
      return Error{fmt::format("'{}.as': there is an array '{}' already", given.path, array.name)};
    }
    const uint64_t bytes = *base::npy_data_bytes(array.type.storage, array.shape);
    auto buffer =
        device_.allocate(given.offset + bytes, array.name.empty() ? slot.name : array.name);
    if (!buffer) return buffer.error();
    const Result<void> filled =
        fill_array(array, ++seed_, (*buffer)->contents().subspan(given.offset));
    if (!filled) return Error{fmt::format("'{}.fill': {}", given.path, filled.error().message)};
    const MadeArray made{array, given.offset, std::move(*buffer)};
    if (!array.name.empty()) arrays_.emplace(array.name, made);
    return bind_array(given, slot, made, given.offset);
  }

  Result<void> bind_value(const FileArgument& given, const Argument& slot,
                          const KnownArray& known) {
    const auto found = arrays_.find(known.name);
    if (found == arrays_.end()) {
      std::vector<std::string> names;
      for (const auto& [name, array] : arrays_) names.push_back(name);
      return Error{fmt::format("'{}.array': there is no array '{}' yet; there {} {}", given.path,
                               known.name, names.size() == 1 ? "is" : "are",
                               names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")))};
    }
    return bind_array(given, slot, found->second, found->second.offset + given.offset);
  }

  Result<void> bind_array(const FileArgument& given, const Argument& slot, const MadeArray& made,
                          uint64_t offset) {
    const NewArray& array = made.description;
    if (offset > made.buffer->size()) {
      return argument_error(
          given, slot,
          fmt::format("begins {} bytes behind its array", offset - made.buffer->size()));
    }
    if (given.is_output && is_read_only(slot)) {
      return argument_error(given, slot, "is an output that the kernel cannot write");
    }
    // A parameter of bytes takes every array: the kernel casts it.
    const TypeFit fit = compare_type(slot, array.type);
    if (!fit.has_right_size && fit.scalar.bytes != 1) {
      return argument_error(
          given, slot,
          fmt::format("has elements of {} ({} bytes)", array.type.name(), array.type.bytes()));
    }
    result_.bindings.buffer(slot.slot, made.buffer, offset);
    kernel::ArrayDescription description{.slot = slot.slot,
                                         .name = array.name,
                                         .dtype = std::string(array.type.name()),
                                         .shape = {array.shape.begin(), array.shape.end()},
                                         .strides = {},
                                         .low = 0,
                                         .high = static_cast<int64_t>(made.buffer->size() - offset),
                                         .is_result = given.is_output};
    int64_t step = 1;
    for (size_t axis = description.shape.size(); axis-- > 0;) {
      description.strides.insert(description.strides.begin(), step);
      step *= description.shape[axis];
    }
    result_.labels.arrays.push_back(std::move(description));
    return {};
  }

  device::Device& device_;
  MadeArrays& arrays_;
  BoundLaunch result_;
  uint32_t seed_ = 0;
};

// The name in the file, or the only kernel there is.
Result<std::string> kernel_name(const FileLaunch& launch, const pipeline::Library& library) {
  if (!launch.kernel.empty()) return launch.kernel;
  const std::vector<kernel::KernelInfo>& kernels = library.compiled().kernels;
  if (kernels.size() == 1) return kernels.front().name;
  std::vector<std::string> names;
  for (const kernel::KernelInfo& each : kernels) names.push_back(each.name);
  return Error{fmt::format(
      "'{}kernel' is missing; the source has {}", launch.path.empty() ? "" : launch.path + ".",
      names.empty() ? "no kernels" : fmt::format("{}", fmt::join(names, ", ")))};
}

Result<void> run_launch(const FileLaunch& launch, const pipeline::Library& library,
                        pipeline::PipelineCache& pipelines, device::Queue& queue,
                        MadeArrays& arrays) {
  const Result<std::string> name = kernel_name(launch, library);
  if (!name) return name.error();
  const auto constants = parse_constants(launch.constants, library.function_constants());
  if (!constants) return constants.error();
  const Result<pipeline::LoadedKernelPtr> kernel = pipelines.get(library, *name, *constants);
  if (!kernel) return kernel.error();
  Result<BoundLaunch> bound = bind_launch(launch, (*kernel)->info(), *pipelines.device(), arrays);
  if (!bound) return bound.error();
  std::unique_ptr<device::CommandBuffer> commands = queue.command_buffer();
  if (Result<void> added = commands->dispatch(*kernel, std::move(bound->bindings), launch.size,
                                              std::move(bound->labels));
      !added) {
    return added;
  }
  return queue.submit(std::move(commands))->wait();
}

}  // namespace

Result<BoundLaunch> bind_launch(const FileLaunch& launch, const kernel::KernelInfo& info,
                                device::Device& device, MadeArrays& arrays) {
  const std::vector<const Argument*> slots = host_arguments(info);
  LaunchBinder binder(device, arrays);
  for (const FileArgument& given : launch.arguments) {
    const auto slot = std::ranges::find(slots, given.name, &Argument::name);
    if (slot == slots.end()) {
      return Error{fmt::format("'{}': kernel '{}' has no argument '{}'; there are {}", given.path,
                               info.name, given.name, names_of(slots))};
    }
    if (Result<void> bound = binder.bind(given, **slot); !bound) return bound.error();
  }
  for (const Argument* slot : slots) {
    if (slot->present_if || std::ranges::find(launch.arguments, slot->name, &FileArgument::name) !=
                                launch.arguments.end()) {
      continue;
    }
    return Error{fmt::format("'{}arguments' has nothing for {}; kernel '{}' takes {}",
                             launch.path.empty() ? "" : launch.path + ".", argument_text(*slot),
                             info.name, names_of(slots))};
  }
  return binder.take();
}

Result<void> run_launches(const LaunchFile& file, const pipeline::Library& library,
                          pipeline::PipelineCache& pipelines) {
  const auto queue = pipelines.device()->create_queue();
  if (!queue) return queue.error();
  MadeArrays arrays;
  for (const FileLaunch& launch : file.launches) {
    if (Result<void> done = run_launch(launch, library, pipelines, **queue, arrays); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace assay::cli
