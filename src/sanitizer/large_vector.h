// Vectors for what is known about memory: mostly as long as the memory itself, or several times.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

namespace assay::sanitizer {

// Large blocks lie on huge pages where the system has them: kernels that walk along columns come to
// another page with every element, and looking up four pages for each takes longer than the check.
template <typename T>
struct HugePageAllocator {
  using value_type = T;

  HugePageAllocator() = default;
  template <typename Other>
  HugePageAllocator(const HugePageAllocator<Other>& /*other*/) {}

  T* allocate(std::size_t count) {
    if (count * sizeof(T) < kPageBytes) return std::allocator<T>().allocate(count);
    if (count > SIZE_MAX / 2 / sizeof(T)) throw std::bad_array_new_length();
    const std::size_t bytes = (count * sizeof(T) + kPageBytes - 1) / kPageBytes * kPageBytes;
    void* memory = std::aligned_alloc(kPageBytes, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    madvise(memory, bytes, MADV_HUGEPAGE);  // a wish
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < kPageBytes) return std::allocator<T>().deallocate(memory, count);
    std::free(memory);
  }

  friend bool operator==(const HugePageAllocator&, const HugePageAllocator&) { return true; }

 private:
  static constexpr std::size_t kPageBytes = std::size_t{2} << 20;
};

template <typename T>
using LargeVector = std::vector<T, HugePageAllocator<T>>;

}  // namespace assay::sanitizer
