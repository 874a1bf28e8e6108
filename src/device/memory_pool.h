// Keeps the memory of freed buffers for the next buffers of about the same size. Bounded: beyond
// its limit the memory that was unused for longest goes back to the system.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "device/device_limits.h"
#include "device/memory_source.h"

namespace assay::device {

struct PoolLimits {
  uint64_t max_active_bytes = 0;  // all live blocks together
  uint64_t max_cached_bytes = 0;
};

// Thread-safe.
class MemoryPool {
 public:
  MemoryPool(std::unique_ptr<MemorySource> source, PoolLimits limits);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  struct Acquired {
    MemoryBlock block;  // data is null when there is no memory for it
    bool reused = false;
  };
  // A block of at least `bytes` + kSlackBytes.
  Acquired acquire(uint64_t bytes);
  void release(MemoryBlock block);

  // Gives all cached memory back to the system.
  void trim();
  MemoryStatistics statistics() const;
  PoolLimits limits() const;
  // Gives back at once what is over a new limit of cached bytes.
  void set_limits(PoolLimits limits);
  // The peak counts from zero, and rises with the next allocation.
  void reset_peak();

  // The size `bytes` is rounded up to, slack included: four steps per power of two, so that sizes
  // which differ by less than a fifth share memory. 0 if it does not fit 64 bits.
  static uint64_t class_bytes(uint64_t bytes);

  // Behind every block, so that vector loads at a buffer's end stay inside mapped memory.
  static constexpr uint64_t kSlackBytes = 64;

 private:
  struct Cached {
    MemoryBlock block;
    uint64_t freed_at = 0;  // counts releases
  };
  // Oldest at the front.
  using SizeClass = std::vector<Cached>;
  static constexpr size_t kSizeClasses = 256;
  static size_t class_index(uint64_t class_bytes);

  void release_oldest();
  void release_all_cached();
  void add_active(uint64_t bytes);

  const std::unique_ptr<MemorySource> source_;
  PoolLimits limits_;
  mutable std::mutex mutex_;
  std::array<SizeClass, kSizeClasses> classes_;
  MemoryStatistics statistics_;
  uint64_t releases_ = 0;
};

}  // namespace assay::device
