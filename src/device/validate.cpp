// The rules for sizes, bindings and threadgroup memory of a dispatch.
#include "device/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "kernel/cpu_abi.h"

namespace assay::device {
namespace {

using kernel::Argument;
using kernel::ArgumentKind;
using kernel::BindingKind;
using kernel::LaunchForm;
using kernel::LaunchSize;
using kernel::Size3;

Error dispatch_error(const LoadedKernel& kernel, std::string_view text) {
  return Error{fmt::format("[dispatch] kernel '{}': {}", kernel.info().name, text)};
}

std::string size_text(const Size3& size) {
  return fmt::format("({}, {}, {})", size.x, size.y, size.z);
}

// Nothing when the count is plain to see, or too large for 64 bits.
std::string thread_count_text(const Size3& size) {
  const uint64_t plane = uint64_t{size.x} * size.y;
  if (size.y == 1 && size.z == 1) return "";
  if (plane > std::numeric_limits<uint64_t>::max() / size.z) return "";
  return fmt::format(" with {} threads", plane * size.z);
}

bool has_zero(const Size3& size) { return size.x == 0 || size.y == 0 || size.z == 0; }

std::string argument_text(const Argument& argument) {
  const char* attribute = argument.kind == ArgumentKind::kBuffer ? "buffer" : "threadgroup";
  return fmt::format("argument '{}' ({}, [[{}({})]])", argument.name, argument.type, attribute,
                     argument.slot);
}

// Positions are 32-bit in MSL, and the groups are counted in 64 bits.
bool fits_positions(const LaunchSize& size) {
  constexpr uint64_t kMax = std::numeric_limits<uint32_t>::max();
  if (size.form == LaunchForm::kThreadgroups &&
      (uint64_t{size.grid.x} * size.threadgroup.x > kMax ||
       uint64_t{size.grid.y} * size.threadgroup.y > kMax ||
       uint64_t{size.grid.z} * size.threadgroup.z > kMax)) {
    return false;
  }
  const Size3 threads = size.threads_per_grid();
  const uint64_t plane = uint64_t{threads.x} * threads.y;
  return plane <= std::numeric_limits<uint64_t>::max() / threads.z;
}

Result<void> validate_sizes(const LoadedKernel& kernel, const LaunchSize& size) {
  if (has_zero(size.grid)) {
    return dispatch_error(kernel, fmt::format("empty grid {}; every grid size must be at least 1, "
                                              "skip the dispatch when there is no work",
                                              size_text(size.grid)));
  }
  if (has_zero(size.threadgroup)) {
    return dispatch_error(kernel, fmt::format("threadgroup size {} has a zero; every size must be "
                                              "at least 1",
                                              size_text(size.threadgroup)));
  }
  const Size3& group = size.threadgroup;
  const uint64_t max_threads = kernel.max_threads_per_threadgroup();
  // The plane is tested first: the product of three 32-bit sizes may wrap.
  const uint64_t plane = uint64_t{group.x} * group.y;
  if (plane > max_threads || plane * group.z > max_threads) {
    const bool by_kernel = kernel.info().max_total_threads_per_threadgroup == max_threads;
    return dispatch_error(
        kernel,
        fmt::format(
            "threadgroup size {}{} is over the maximum of {} threads{}; use a smaller "
            "threadgroup",
            size_text(group), thread_count_text(group), max_threads,
            by_kernel ? " that [[max_total_threads_per_threadgroup]] sets" : " per threadgroup"));
  }
  if (!fits_positions(size)) {
    return dispatch_error(kernel, fmt::format("grid {} is too large: positions have 32 bits along "
                                              "an axis; split the dispatch",
                                              size_text(size.grid)));
  }
  return {};
}

Result<void> validate_buffer_argument(const LoadedKernel& kernel, const Argument& argument,
                                      const Bindings& bindings) {
  const Bindings::Entry* entry = bindings.find_buffer_or_bytes(argument.slot);
  if (entry == nullptr) {
    if (argument.present_if.has_value()) return {};
    return dispatch_error(kernel, fmt::format("{} is not bound; bind a buffer or bytes to slot {}",
                                              argument_text(argument), argument.slot));
  }
  if (entry->kind == BindingKind::kBuffer) {
    if (entry->buffer == nullptr) {
      return dispatch_error(kernel, fmt::format("{} is bound to a null buffer; allocate it first",
                                                argument_text(argument)));
    }
    if (entry->buffer->device() != kernel.device()) {
      return dispatch_error(
          kernel,
          fmt::format("{} is bound to buffer {} of another device ('{}'); allocate it on "
                      "the device that runs the kernel",
                      argument_text(argument), entry->buffer->id(), entry->buffer->device()->name));
    }
    if (entry->offset > entry->buffer->size()) {
      return dispatch_error(
          kernel, fmt::format("{} is bound at offset {}, beyond the buffer's {} bytes",
                              argument_text(argument), entry->offset, entry->buffer->size()));
    }
    const uint64_t alignment = argument.element_alignment;
    if (alignment > 1 && entry->offset % alignment != 0) {
      return dispatch_error(
          kernel,
          fmt::format("{} is bound at offset {}, which its element type does not allow; use "
                      "a multiple of {} bytes",
                      argument_text(argument), entry->offset, alignment));
    }
  }
  if (argument.is_reference && entry->bytes < argument.element_bytes) {
    return dispatch_error(
        kernel, fmt::format("{} needs {} bytes, but {} are bound; bind a whole "
                            "value",
                            argument_text(argument), argument.element_bytes, entry->bytes));
  }
  return {};
}

Result<void> validate_threadgroup_argument(const LoadedKernel& kernel, const Argument& argument,
                                           const Bindings& bindings) {
  if (argument.present_if.has_value()) return {};
  if (bindings.find_threadgroup_memory(argument.slot) != nullptr) return {};
  return dispatch_error(kernel,
                        fmt::format("{} has no memory; set the threadgroup memory bytes of slot {}",
                                    argument_text(argument), argument.slot));
}

Result<void> validate_slots(const LoadedKernel& kernel, const Bindings& bindings) {
  for (const Bindings::Entry& entry : bindings.entries()) {
    const bool is_threadgroup = entry.kind == BindingKind::kThreadgroupMemory;
    const char* attribute = is_threadgroup ? "threadgroup" : "buffer";
    const uint32_t slots = is_threadgroup ? kernel::kMaxThreadgroupSlots : kernel::kMaxBufferSlots;
    if (entry.slot >= slots) {
      return dispatch_error(kernel, fmt::format("slot {} does not exist; {} slots go from 0 to {}",
                                                entry.slot, attribute, slots - 1));
    }
    const auto kind = is_threadgroup ? ArgumentKind::kThreadgroupMemory : ArgumentKind::kBuffer;
    if (kernel.info().find_argument(kind, entry.slot) == nullptr) {
      return dispatch_error(
          kernel, fmt::format("something is bound to [[{}({})]], but the kernel has no such "
                              "argument; remove the binding or correct its slot",
                              attribute, entry.slot));
    }
  }
  return {};
}

Result<void> validate_threadgroup_memory(const LoadedKernel& kernel, const Bindings& bindings) {
  const uint64_t fixed = kernel.info().static_threadgroup_bytes;
  const uint64_t limit = kernel.device()->limits.max_threadgroup_memory_bytes;
  uint64_t dynamic = 0;
  bool too_much = fixed > limit;
  for (const Bindings::Entry& entry : bindings.entries()) {
    if (entry.kind != BindingKind::kThreadgroupMemory) continue;
    // Compared before adding: sizes near 2^64 must not wrap to something small.
    too_much = too_much || entry.bytes > limit || dynamic + entry.bytes > limit - fixed;
    dynamic = too_much ? dynamic : dynamic + entry.bytes;
  }
  if (!too_much) return {};
  std::string given;
  uint64_t needed = fixed;
  for (const Bindings::Entry& entry : bindings.entries()) {
    if (entry.kind != BindingKind::kThreadgroupMemory) continue;
    const uint64_t room = std::numeric_limits<uint64_t>::max() - needed;
    needed += std::min(room, entry.bytes);
    given += fmt::format(" + {} in slot {}", entry.bytes, entry.slot);
  }
  return dispatch_error(
      kernel,
      fmt::format("needs {} bytes of threadgroup memory ({} declared in the kernel{}), over "
                  "the limit of {}; use smaller tiles",
                  needed, fixed, given, limit));
}

}  // namespace

Result<void> validate_dispatch(const LoadedKernel& kernel, const Bindings& bindings,
                               const LaunchSize& size) {
  if (Result<void> sizes = validate_sizes(kernel, size); !sizes) return sizes;
  for (const Argument& argument : kernel.info().arguments) {
    Result<void> checked;
    if (argument.kind == ArgumentKind::kBuffer) {
      checked = validate_buffer_argument(kernel, argument, bindings);
    } else if (argument.kind == ArgumentKind::kThreadgroupMemory) {
      checked = validate_threadgroup_argument(kernel, argument, bindings);
    }
    if (!checked) return checked;
  }
  if (Result<void> slots = validate_slots(kernel, bindings); !slots) return slots;
  return validate_threadgroup_memory(kernel, bindings);
}

Result<void> validate_range(std::string_view action, const Buffer* buffer, uint64_t offset,
                            uint64_t bytes) {
  if (buffer == nullptr)
    return Error{fmt::format("{} the buffer is null; allocate it first", action)};
  if (offset <= buffer->size() && bytes <= buffer->size() - offset) return {};
  return Error{fmt::format("{} {} bytes at offset {} do not fit buffer {} '{}' of {} bytes", action,
                           bytes, offset, buffer->id(), buffer->label(), buffer->size())};
}

namespace {

// Elements from the first to behind the last of a rows×columns matrix; nothing when that overflows.
std::optional<uint64_t> matrix_span(const kernel::MatrixForm& form, int64_t rows, int64_t columns) {
  const int64_t lines = form.is_transposed ? columns : rows;
  const int64_t length = form.is_transposed ? rows : columns;
  int64_t span = 0;
  if (lines < 1 || length < 1 || form.leading < length) return std::nullopt;
  if (__builtin_mul_overflow(lines - 1, form.leading, &span) ||
      __builtin_add_overflow(span, length, &span)) {
    return std::nullopt;
  }
  return static_cast<uint64_t>(span);
}

// Whether `span` elements lie inside the buffer, `offset` elements behind (or before) the place.
bool holds_matrix(const MatrixProductCommand::Place& place, uint64_t item, int64_t offset,
                  uint64_t span) {
  const uint64_t bytes = place.buffer->size();
  if (place.offset > bytes) return false;
  const uint64_t before = place.offset / item;
  const uint64_t behind = (bytes - place.offset) / item;
  if (offset < 0) {
    const uint64_t distance = -static_cast<uint64_t>(offset);
    return distance <= before && span <= behind + distance;
  }
  const auto distance = static_cast<uint64_t>(offset);
  return distance <= behind && span <= behind - distance;
}

// Along axes that an array has reversed, matrices lie before the place of the first one.
Result<void> validate_matrix(std::string_view name, const MatrixProductCommand::Place& place,
                             uint64_t item, int64_t offset, std::optional<uint64_t> span) {
  if (place.buffer == nullptr) {
    return Error{fmt::format("[matrix product] the buffer of {} is null; allocate it first", name)};
  }
  const uint64_t bytes = place.buffer->size();
  if (span && holds_matrix(place, item, offset, *span)) return {};
  return Error{fmt::format(
      "[matrix product] matrix {} does not lie inside buffer {} '{}' of {} bytes (it starts {} "
      "elements from offset {} on); check sizes, offsets and distances between rows",
      name, place.buffer->id(), place.buffer->label(), bytes, offset, place.offset)};
}

}  // namespace

Result<void> validate_matrix_product(const MatrixProductCommand& command) {
  const kernel::MatrixProduct& product = command.product;
  const uint64_t item = kernel::matrix_element_bytes(product.element);
  constexpr int64_t kMaxLeading = std::numeric_limits<int32_t>::max();
  if (product.m < 1 || product.n < 1 || product.k < 1 || product.a.leading > kMaxLeading ||
      product.b.leading > kMaxLeading) {
    return Error{fmt::format(
        "[matrix product] sizes m={} n={} k={} are not between 1 and 2^31-1; leave empty products "
        "out and split larger ones",
        product.m, product.n, product.k)};
  }
  const auto a_span = matrix_span(product.a, product.m, product.k);
  const auto b_span = matrix_span(product.b, product.k, product.n);
  const uint64_t c_size = static_cast<uint64_t>(product.m) * static_cast<uint64_t>(product.n);
  Result<void> valid;
  for (size_t i = 0; i < product.products.size() && valid; ++i) {
    const kernel::MatrixOffsets& offsets = product.products[i];
    valid = validate_matrix("A", command.a, item, offsets.a, a_span);
    if (valid) valid = validate_matrix("B", command.b, item, offsets.b, b_span);
  }
  if (!valid) return valid;
  uint64_t results = 0;
  const bool is_huge = __builtin_mul_overflow(c_size, product.products.size(), &results);
  return validate_matrix("C", command.c, item, 0, is_huge ? std::nullopt : std::optional(results));
}

}  // namespace assay::device
