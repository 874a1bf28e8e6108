// Slots and the storage of inline bytes.
#include "device/bindings.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace assay::device {
namespace {

using kernel::BindingKind;

bool is_threadgroup(const Bindings::Entry& entry) {
  return entry.kind == BindingKind::kThreadgroupMemory;
}

}  // namespace

Bindings& Bindings::buffer(uint32_t slot, std::shared_ptr<Buffer> buffer, uint64_t offset) {
  const uint64_t size = buffer == nullptr ? 0 : buffer->size();
  const uint64_t bytes = offset <= size ? size - offset : 0;
  put({BindingKind::kBuffer, slot, std::move(buffer), offset, bytes});
  return *this;
}

Bindings& Bindings::bytes(uint32_t slot, std::span<const std::byte> bytes) {
  const uint64_t first_line = lines_.size();
  lines_.resize(first_line + std::max<size_t>(1, (bytes.size() + kLineBytes - 1) / kLineBytes));
  if (!bytes.empty()) std::memcpy(&lines_[first_line], bytes.data(), bytes.size());
  put({BindingKind::kBytes, slot, nullptr, first_line, bytes.size()});
  return *this;
}

Bindings& Bindings::threadgroup_memory(uint32_t slot, uint64_t bytes) {
  constexpr uint64_t kStep = 16;
  // A size so large that rounding would wrap is left as it is, for validation to refuse.
  const uint64_t rounded = bytes > UINT64_MAX - kStep ? bytes : (bytes + kStep - 1) / kStep * kStep;
  put({BindingKind::kThreadgroupMemory, slot, nullptr, 0, rounded});
  if (bytes == 0) entries_.pop_back();
  return *this;
}

void Bindings::put(Entry entry) {
  std::erase_if(entries_, [&](const Entry& old) {
    return old.slot == entry.slot && is_threadgroup(old) == is_threadgroup(entry);
  });
  entries_.push_back(std::move(entry));
}

const Bindings::Entry* Bindings::find_buffer_or_bytes(uint32_t slot) const {
  for (const Entry& entry : entries_) {
    if (entry.slot == slot && !is_threadgroup(entry)) return &entry;
  }
  return nullptr;
}

const Bindings::Entry* Bindings::find_threadgroup_memory(uint32_t slot) const {
  for (const Entry& entry : entries_) {
    if (entry.slot == slot && is_threadgroup(entry)) return &entry;
  }
  return nullptr;
}

std::byte* Bindings::data(const Entry& entry) const {
  if (entry.kind == BindingKind::kBytes) return lines_[entry.offset].bytes.data();
  if (entry.buffer == nullptr) return nullptr;
  return entry.buffer->data() + entry.offset;
}

}  // namespace assay::device
