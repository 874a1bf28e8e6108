// What a dispatch gives its kernel: buffers, small values and threadgroup memory, by slot.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "base/recycled.h"
#include "device/buffer.h"
#include "kernel/description.h"

namespace assay::device {

// Binding a slot again replaces what it held. Nothing is checked here; see validate.h.
class Bindings {
 public:
  struct Entry {
    kernel::BindingKind kind = kernel::BindingKind::kBuffer;
    uint32_t slot = 0;
    std::shared_ptr<Buffer> buffer;
    uint64_t offset = 0;  // bytes into the buffer, or lines into the inline bytes
    uint64_t bytes = 0;   // what the kernel may use from the offset on
  };

  // Makes room for that many bindings at once.
  void reserve(size_t count) { entries_.reserve(count); }
  Bindings& buffer(uint32_t slot, std::shared_ptr<Buffer> buffer, uint64_t offset = 0);
  // Copies the bytes now. The copy is aligned for every MSL type.
  Bindings& bytes(uint32_t slot, std::span<const std::byte> bytes);
  template <typename T>
  Bindings& value(uint32_t slot, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    return bytes(slot, std::as_bytes(std::span(&value, 1)));
  }
  // Bytes behind a `threadgroup` argument, rounded up to 16. 0 takes the binding away.
  Bindings& threadgroup_memory(uint32_t slot, uint64_t bytes);

  std::span<const Entry> entries() const { return entries_; }
  // Null when nothing is bound. Buffers and bytes share their slots.
  const Entry* find_buffer_or_bytes(uint32_t slot) const;
  const Entry* find_threadgroup_memory(uint32_t slot) const;
  // What the kernel sees at a buffer or bytes entry; moves with this object.
  std::byte* data(const Entry& entry) const;

 private:
  static constexpr size_t kLineBytes = 64;
  struct alignas(kLineBytes) Line {
    std::array<std::byte, kLineBytes> bytes;
  };

  void put(Entry entry);

  std::vector<Entry, base::RecycledAllocator<Entry, 6>> entries_;
  // Mutable through data(): the kernel's parameter is a plain pointer, whatever it points to.
  mutable std::vector<Line, base::RecycledAllocator<Line, 2>> lines_;
};

}  // namespace assay::device
