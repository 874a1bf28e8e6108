// See bind_arguments.h.
#include "cli/bind_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "cli/argument_type.h"
#include "cli/reflection_text.h"

namespace assay::cli {
namespace {

using kernel::Access;
using kernel::Argument;
using kernel::ArgumentKind;
using Kind = LaunchArgumentKind;

// How the argument could be written, for messages.
std::string suggestion(const Argument& argument) {
  if (argument.kind == ArgumentKind::kThreadgroupMemory) return "threadgroup:BYTES";
  const std::optional<ValueType> element = find_element_type(argument.type);
  if (argument.is_reference) return element ? element->name() + ":VALUE" : "bytes:HEX";
  return is_read_only(argument) ? "FILE.npy" : "out:TYPE[SHAPE]=FILE.npy";
}

std::vector<const Argument*> slots_of(const kernel::KernelInfo& info, ArgumentKind kind) {
  std::vector<const Argument*> slots;
  for (const Argument& argument : info.arguments) {
    if (argument.kind == kind) slots.push_back(&argument);
  }
  std::ranges::sort(slots, {}, &Argument::slot);
  return slots;
}

Error count_error(const kernel::KernelInfo& info, size_t given,
                  std::span<const Argument* const> slots, std::string_view noun) {
  size_t width = 0;
  for (const Argument* slot : slots) width = std::max(width, suggestion(*slot).size());
  std::string list;
  for (const Argument* slot : slots) {
    list += fmt::format("\n  {:<{}}  {} {} {}", suggestion(*slot), width, place_text(*slot),
                        slot->type, slot->name);
    if (slot->present_if) list += fmt::format(" (or -, when {} is false)", *slot->present_if);
  }
  return Error{fmt::format("kernel '{}' takes {} {}{}, but {} {} given; {}{}", info.name,
                           slots.size(), noun, slots.size() == 1 ? "" : "s", given,
                           given == 1 ? "is" : "are",
                           slots.empty() ? "remove them" : "give, in this order:", list)};
}

// The slots that the given arguments go to, one for one.
Result<std::vector<const Argument*>> match_slots(const kernel::KernelInfo& info, size_t given,
                                                 ArgumentKind kind) {
  const std::vector<const Argument*> all = slots_of(info, kind);
  if (given == all.size()) return all;
  std::vector<const Argument*> present = all;
  std::erase_if(present, [](const Argument* slot) { return slot->present_if.has_value(); });
  if (given == present.size()) return present;
  return count_error(info, given, all,
                     kind == ArgumentKind::kBuffer ? "buffer argument" : "threadgroup argument");
}

class Binder {
 public:
  explicit Binder(device::Device& device) : device_(device) {}

  Result<void> bind(const Argument& slot, const LaunchArgument& given) {
    switch (given.kind) {
      case Kind::kEmpty: return bind_nothing(slot);
      case Kind::kValue: return bind_value(slot, given);
      case Kind::kOutput: return bind_output(slot, given);
      case Kind::kInput:
      case Kind::kInOut: return bind_file(slot, given);
      case Kind::kThreadgroupMemory: break;
    }
    result_.bindings.threadgroup_memory(slot.slot, given.threadgroup_bytes);
    return {};
  }

  BoundArguments take() { return std::move(result_); }

 private:
  static Result<void> bind_nothing(const Argument& slot) {
    if (slot.present_if) return {};
    return Error{fmt::format("argument {} cannot be left empty; give {}", argument_text(slot),
                             suggestion(slot))};
  }

  Result<void> bind_value(const Argument& slot, const LaunchArgument& given) {
    const std::optional<ValueType> element = find_element_type(slot.type);
    if (given.value_type && element) {
      const ScalarType &wanted = element->scalar, &got = given.value_type->scalar;
      const bool is_integer = wanted.kind != NumberKind::kFloat;
      const bool is_same_kind =
          is_integer == (got.kind != NumberKind::kFloat) && (is_integer || wanted.name == got.name);
      const bool is_same_size = wanted.bytes == got.bytes &&
                                (!slot.is_reference || given.bytes.size() == slot.element_bytes);
      if (!is_same_kind || !is_same_size) {
        return Error{fmt::format("'{}' does not fit argument {}; write {}:…", given.text,
                                 argument_text(slot), element->name())};
      }
    } else if (slot.is_reference && given.bytes.size() != slot.element_bytes) {
      return Error{
          fmt::format("'{}' has {} bytes, but argument {} takes {}; give all of them with "
                      "bytes:HEX",
                      given.text, given.bytes.size(), argument_text(slot), slot.element_bytes)};
    }
    result_.bindings.bytes(slot.slot, given.bytes);
    return {};
  }

  // `given` names the array in messages.
  Result<void> check_type(const Argument& slot, const ArrayType& type, std::string_view given) {
    const TypeFit fit = compare_type(slot, type);
    if (!fit.has_right_size) {
      return Error{fmt::format(
          "'{}' holds {} ({} bytes each), but argument {} has elements of {} "
          "bytes; {}",
          given, type.name(), type.bytes(), argument_text(slot), fit.scalar.bytes,
          given.starts_with("out:")
              ? fmt::format("write out:{}[…]", fit.wanted)
              : fmt::format("x.astype('{0}') converts the values, x.view('{0}') takes the "
                            "bytes as they are",
                            fit.wanted))};
    }
    if (!fit.has_right_kind) {
      result_.notes.push_back(
          fmt::format("'{}' holds {}, but argument {} has {}: the bits are taken "
                      "as they are",
                      given, type.name(), argument_text(slot), fit.scalar.name));
    }
    return {};
  }

  Result<void> bind_output(const Argument& slot, const LaunchArgument& given) {
    if (is_read_only(slot)) {
      return Error{fmt::format("argument {} is only read, so it cannot be an output; give {}",
                               argument_text(slot), suggestion(slot))};
    }
    if (Result<void> checked = check_type(slot, given.type, given.text); !checked) return checked;
    const uint64_t bytes = *base::npy_data_bytes(given.type.storage, given.shape);
    auto buffer = device_.allocate(bytes, slot.name, {.zeroed = true});
    if (!buffer) return buffer.error();
    if (given.type.is_bfloat && !given.output_file.empty()) {
      result_.notes.push_back(
          fmt::format("{} holds bfloat16 as uint16: NumPy has no bfloat16, "
                      "(x.astype('<u4') << 16).view('<f4') gives float32",
                      given.output_file));
    }
    add_output(slot, given, {given.type, given.shape, *buffer});
    bind_buffer(slot, std::move(*buffer));
    return {};
  }

  Result<void> bind_file(const Argument& slot, const LaunchArgument& given) {
    const bool is_kept = given.kind == Kind::kInOut;
    if (is_kept && is_read_only(slot)) {
      return Error{fmt::format("argument {} is only read; give {} alone", argument_text(slot),
                               given.input_file)};
    }
    const Result<base::NpyArray> array = base::load_npy(given.input_file);
    if (!array) return array.error();
    const ArrayType type{array->type, array->type == base::NpyType::kBfloat16};
    if (Result<void> checked = check_type(slot, type, given.input_file); !checked) return checked;
    auto buffer = device_.allocate(array->data.size(), slot.name);
    if (!buffer) return buffer.error();
    if (!array->data.empty()) {
      std::memcpy((*buffer)->data(), array->data.data(), array->data.size());
    }
    if (is_kept) {
      add_output(slot, given, {type, array->shape, *buffer});
    } else if (slot.access == Access::kWrite || slot.access == Access::kReadWrite) {
      result_.notes.push_back(
          fmt::format("the kernel writes argument {}, but nothing keeps it; use "
                      "inout:{}=RESULT.npy to store the result",
                      argument_text(slot), given.input_file));
    }
    bind_buffer(slot, std::move(*buffer));
    return {};
  }

  struct Array {
    ArrayType type;
    std::vector<uint64_t> shape;
    std::shared_ptr<device::Buffer> buffer;
  };

  void add_output(const Argument& slot, const LaunchArgument& given, Array array) {
    result_.outputs.push_back({slot.name, slot.slot, array.type, std::move(array.shape),
                               given.output_file, std::move(array.buffer)});
  }

  void bind_buffer(const Argument& slot, std::shared_ptr<device::Buffer> buffer) {
    const bool is_read = slot.access == Access::kRead || slot.access == Access::kReadWrite;
    const bool is_written = slot.access == Access::kWrite || slot.access == Access::kReadWrite;
    result_.traffic_bytes += buffer->size() * ((is_read ? 1 : 0) + (is_written ? 1 : 0));
    result_.bindings.buffer(slot.slot, std::move(buffer));
  }

  device::Device& device_;
  BoundArguments result_;
};

}  // namespace

Result<BoundArguments> bind_arguments(const kernel::KernelInfo& info,
                                      std::span<const LaunchArgument> given,
                                      device::Device& device) {
  std::vector<const LaunchArgument*> buffers, threadgroups;
  for (const LaunchArgument& argument : given) {
    auto& list = argument.kind == Kind::kThreadgroupMemory ? threadgroups : buffers;
    list.push_back(&argument);
  }
  const auto buffer_slots = match_slots(info, buffers.size(), ArgumentKind::kBuffer);
  if (!buffer_slots) return buffer_slots.error();
  const auto threadgroup_slots =
      match_slots(info, threadgroups.size(), ArgumentKind::kThreadgroupMemory);
  if (!threadgroup_slots) return threadgroup_slots.error();

  Binder binder(device);
  for (size_t i = 0; i < buffers.size(); ++i) {
    if (Result<void> bound = binder.bind(*(*buffer_slots)[i], *buffers[i]); !bound) {
      return bound.error();
    }
  }
  for (size_t i = 0; i < threadgroups.size(); ++i) {
    if (Result<void> bound = binder.bind(*(*threadgroup_slots)[i], *threadgroups[i]); !bound) {
      return bound.error();
    }
  }
  return binder.take();
}

}  // namespace assay::cli
