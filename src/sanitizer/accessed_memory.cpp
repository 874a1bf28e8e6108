// See accessed_memory.h.
#include "sanitizer/accessed_memory.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "sanitizer/declared_array.h"

namespace assay::sanitizer {

using kernel::CheckSite;
using kernel::SiteMemory;

namespace {

void describe_array(const kernel::ArrayDescription& array, MemoryPlace& place) {
  place.array = array.name;
  place.type = array.dtype;
  place.shape = array.shape;
  place.strides = array.strides;
  if (const uint64_t bytes = dtype_bytes(array.dtype); bytes != 0) place.element_bytes = bytes;
}

}  // namespace

MemoryPlace AccessedMemory::place(const RawFinding& raw, const CheckSite& site) {
  MemoryPlace place;
  place.bytes = site.bytes;
  place.offset = raw.offset;
  place.name = site.object;
  place.object_bytes = site.object_bytes;
  place.element_bytes = site.bytes <= 8 ? site.bytes : 0;
  if (site.memory == SiteMemory::kThread) {
    place.space = "thread";
    if (place.name.empty()) place.name = sources_.name_at(site.place);
    return place;
  }
  if (site.memory == SiteMemory::kThreadgroupVariable) {
    place.space = "threadgroup";
    place.name = sources_.name_at(site.declared);
    place.element_bytes = element_bytes_of(sources_.declaration_at(site.declared), place);
    return place;
  }
  if (raw.object < 0) {
    place.space = "device";
    return place;
  }
  const MemoryObject& object = launch_.state().objects[raw.object];
  place.space = object.is_threadgroup ? "threadgroup" : "device";
  place.object_bytes = object.end - object.begin;
  describe_argument(raw.object, place);
  if (object.array != nullptr) describe_array(*object.array, place);
  return place;
}

std::string AccessedMemory::element_text(const MemoryPlace& place, const CheckSite& site) {
  const std::string name =
      place.name.empty() ? fmt::format("an array in {} memory", place.space) : place.name;
  if (site.memory != SiteMemory::kThreadgroupVariable || place.name.empty() || place.offset < 0) {
    return fmt::format("{}[{}]", name, place.index());
  }
  return element_name(place, sources_.declaration_at(site.declared));
}

const kernel::Argument* AccessedMemory::find_argument(int object) const {
  if (object < 0) return nullptr;
  const bool is_group = object >= ObjectTable::kThreadgroupBase;
  const auto slot =
      static_cast<uint32_t>(is_group ? object - ObjectTable::kThreadgroupBase : object);
  const auto kind =
      is_group ? kernel::ArgumentKind::kThreadgroupMemory : kernel::ArgumentKind::kBuffer;
  return launch_.command().kernel->find_argument(kind, slot);
}

std::optional<int64_t> AccessedMemory::find_below_zero(const RawFinding& raw,
                                                       const MemoryPlace& place) const {
  const kernel::Argument* argument = find_argument(raw.object);
  const uint64_t bytes = argument != nullptr && argument->element_bytes != 0
                             ? argument->element_bytes
                             : std::max<uint64_t>(place.element_bytes, 1);
  const int64_t index = raw.offset / static_cast<int64_t>(bytes);
  const int64_t wrapped = index - (int64_t{1} << 32);
  const auto count = static_cast<int64_t>(place.object_bytes / bytes);
  if (wrapped >= 0 || wrapped < -count) return std::nullopt;
  return wrapped;
}

void AccessedMemory::describe_argument(int object, MemoryPlace& place) const {
  const kernel::Argument* argument = find_argument(object);
  if (argument == nullptr) return;
  place.name = argument->name;
  if (argument->element_bytes != 0) place.element_bytes = argument->element_bytes;
  if (argument->address_space == kernel::AddressSpace::kConstant) place.space = "constant";
}

std::string object_text(const MemoryPlace& place) {
  const std::string name = place.name.empty() ? fmt::format("an array in {} memory", place.space)
                                              : fmt::format("'{}'", place.name);
  const uint64_t element = std::max<uint64_t>(place.element_bytes, 1);
  const uint64_t count = place.object_bytes / element;
  std::string text =
      fmt::format("{}, which has {} {}{}", name, count,
                  place.element_bytes == 0 ? "byte" : "element", count == 1 ? "" : "s");
  if (!place.type.empty()) {
    text += fmt::format(" ({}[{}])", place.type, fmt::join(place.shape, ", "));
  }
  return text;
}

uint64_t dtype_bytes(std::string_view dtype) {
  if (dtype == "bool") return 1;
  const size_t digits = dtype.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  uint64_t bits = 0;
  std::from_chars(dtype.data() + digits, dtype.data() + dtype.size(), bits);
  return bits / 8;
}

}  // namespace assay::sanitizer
