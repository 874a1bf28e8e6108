// Memory of lists that come and go in the same few sizes. glibc puts its small free blocks together
// whenever somebody asks for a large one, and takes them apart again for the next small ones, which
// costs programs that make many small objects more than the objects do.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace assay::base {

inline constexpr size_t kMinKeptBytes = 1024;  // smaller blocks are no trouble

// Thread-safe. Blocks of up to some MiB wait for the next call with the same size.
void* take_memory(size_t bytes);
void give_memory(void* memory, size_t bytes);

template <typename T>
class KeptAllocator {
 public:
  using value_type = T;

  KeptAllocator() = default;
  template <typename Other>
  KeptAllocator(const KeptAllocator<Other>& /*other*/) {}

  T* allocate(size_t count) {
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    if (count * sizeof(T) < kMinKeptBytes) return std::allocator<T>().allocate(count);
    return static_cast<T*>(take_memory(count * sizeof(T)));
  }
  void deallocate(T* memory, size_t count) {
    if (count * sizeof(T) < kMinKeptBytes) return std::allocator<T>().deallocate(memory, count);
    give_memory(memory, count * sizeof(T));
  }
  bool operator==(const KeptAllocator& /*other*/) const { return true; }
};

template <typename T>
using KeptVector = std::vector<T, KeptAllocator<T>>;

}  // namespace assay::base
