// Memory of small objects that are made and dropped in large numbers, kept for the next ones.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace assay::base {

// AddressSanitizer should see every use of an object that is gone.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool kRecycles = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
inline constexpr bool kRecycles = false;
#else
inline constexpr bool kRecycles = true;
#endif
#else
inline constexpr bool kRecycles = true;
#endif

// Blocks of one size that this thread has freed, whichever thread allocated them.
template <size_t kBytes, size_t kAlignment = alignof(void*)>
class FreeBlocks {
 public:
  static void* take() {
    Block* block = list_.first;
    if (block == nullptr) return std::allocator<Memory>().allocate(1);
    list_.first = block->next;
    --list_.count;
    return block;
  }

  static void give(void* memory) {
    if (!kRecycles || list_.is_gone || list_.count == kMaxCount) return free(memory);
    list_.first = new (memory) Block{list_.first};
    ++list_.count;
    // Its destructor runs only on threads that have touched it.
    [[maybe_unused]] static thread_local const AtThreadEnd at_end;
    (void)&at_end;
  }

 private:
  struct Block {
    Block* next;
  };
  static_assert(kBytes >= sizeof(Block));
  static constexpr size_t kMaxCount = 32768;

  struct alignas(kAlignment) Memory {
    std::byte bytes[kBytes];
  };
  static_assert(sizeof(Memory) == kBytes);

  static void free(void* memory) {
    std::allocator<Memory>().deallocate(static_cast<Memory*>(memory), 1);
  }

  // Not destroyed: objects may be dropped while a thread's other variables are.
  struct List {
    Block* first = nullptr;
    size_t count = 0;
    bool is_gone = false;
  };
  struct AtThreadEnd {
    ~AtThreadEnd() {
      list_.is_gone = true;
      while (Block* block = list_.first) {
        list_.first = block->next;
        free(block);
      }
    }
  };
  static inline thread_local constinit List list_;
};

// For std::allocate_shared, and for vectors that are short as a rule: up to kCount elements take a
// block of that size; more go the ordinary way.
template <typename T, size_t kCount = 1>
class RecycledAllocator {
 public:
  using value_type = T;
  template <typename Other>
  struct rebind {
    using other = RecycledAllocator<Other, kCount>;
  };

  RecycledAllocator() = default;
  template <typename Other>
  RecycledAllocator(const RecycledAllocator<Other, kCount>& /*other*/) {}

  T* allocate(size_t count) {
    if (count > kCount) return std::allocator<T>().allocate(count);
    return static_cast<T*>(Blocks::take());
  }
  void deallocate(T* memory, size_t count) {
    if (count > kCount) return std::allocator<T>().deallocate(memory, count);
    Blocks::give(memory);
  }
  bool operator==(const RecycledAllocator& /*other*/) const { return true; }

 private:
  using Blocks = FreeBlocks<kCount * sizeof(T), std::max(alignof(T), alignof(void*))>;
};

// Like std::make_shared.
template <typename T, typename... Arguments>
std::shared_ptr<T> make_recycled(Arguments&&... arguments) {
  return std::allocate_shared<T>(RecycledAllocator<T>(), std::forward<Arguments>(arguments)...);
}

}  // namespace assay::base
