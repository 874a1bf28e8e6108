// See outputs.h.
#include "sanitizer/checks/outputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>

#include "sanitizer/accessed_memory.h"
#include "sanitizer/command_finding.h"
#include "sanitizer/padded_vectors.h"
#include "sanitizer/source_text.h"

namespace assay::sanitizer {
namespace {

struct Unwritten {
  uint64_t first = 0;  // element
  uint64_t count = 0;
};

// Results are row-contiguous. Vectors of three numbers have room for a fourth, which nobody writes.
Unwritten count_unwritten(const MemoryObject& object, uint64_t element_bytes, bool has_padding) {
  Unwritten unwritten;
  const uint8_t* initialised =
      object.state->initialised.data() + (object.begin - object.state_begin);
  const uint64_t bytes = object.end - object.begin;
  if (std::memchr(initialised, 0, bytes) == nullptr) return unwritten;
  for (uint64_t element = 0; element < bytes / element_bytes; ++element) {
    const uint8_t* first = initialised + element * element_bytes;
    const bool is_padding = has_padding && element % 4 == 3;
    if (is_padding || std::memchr(first, 0, element_bytes) == nullptr) continue;
    if (unwritten.count++ == 0) unwritten.first = element;
  }
  return unwritten;
}

Finding describe(const LaunchChecker& launch, const MemoryObject& object,
                 const Unwritten& unwritten, uint64_t element_bytes) {
  const kernel::CommandDescription& command = launch.command();
  const std::string name = argument_name(command, object.array->slot);
  SourceText sources(command.kernel_origin, command.origin);
  Finding finding = begin_finding("output-unwritten", command);
  finding.place = sources.find_word({command.kernel->file, command.kernel->line, 0}, name);
  MemoryPlace place{.space = "device",
                    .name = name,
                    .array = object.array->name,
                    .type = object.array->dtype,
                    .element_bytes = element_bytes,
                    .offset = static_cast<int64_t>(unwritten.first * element_bytes),
                    .bytes = element_bytes,
                    .object_bytes = object.end - object.begin,
                    .shape = object.array->shape,
                    .strides = object.array->strides};
  const uint64_t total = place.object_bytes / element_bytes;
  const uint64_t threads = command.size.threads_per_grid().count();
  finding.message = fmt::format("{} of {} elements of '{}' ({}[{}]) were not written, first {}[{}]",
                                unwritten.count, total, place.name, place.type,
                                fmt::join(place.shape, ", "), place.name, unwritten.first);
  finding.fix = threads < total
                    ? fmt::format(
                          "launch more threads (the grid has {}), let each thread write "
                          "several elements, or give init_value",
                          threads)
                    : "write every element, or give init_value";
  finding.occurrences = unwritten.count;
  finding.memory = std::move(place);
  return finding;
}

}  // namespace

std::vector<Finding> find_unwritten(const LaunchChecker& launch) {
  std::vector<Finding> findings;
  for (int index = 0; index < ObjectTable::kThreadgroupBase; ++index) {
    const MemoryObject& object = launch.state().objects[index];
    if (object.array == nullptr || !object.array->is_result || object.state == nullptr) continue;
    const uint64_t element_bytes = dtype_bytes(object.array->dtype);
    if (element_bytes == 0 || object.begin == object.end) continue;
    const kernel::Argument* argument =
        launch.command().kernel->find_argument(kernel::ArgumentKind::kBuffer, object.array->slot);
    const bool has_padding = holds_padded_vectors(argument, element_bytes);
    const Unwritten unwritten = count_unwritten(object, element_bytes, has_padding);
    if (unwritten.count == 0) continue;
    findings.push_back(describe(launch, object, unwritten, element_bytes));
  }
  return findings;
}

}  // namespace assay::sanitizer
