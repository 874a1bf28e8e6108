// Size classes and eviction of the memory pool.
#include "device/memory_pool.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace assay::device {
namespace {

constexpr uint64_t kSmallestClassBytes = 256;

}  // namespace

MemoryPool::MemoryPool(std::unique_ptr<MemorySource> source, PoolLimits limits)
    : source_(std::move(source)), limits_(limits) {}

MemoryPool::~MemoryPool() { release_all_cached(); }

uint64_t MemoryPool::class_bytes(uint64_t bytes) {
  constexpr uint64_t kLargest = uint64_t{1} << 62;
  if (bytes > kLargest - kSlackBytes) return 0;
  const uint64_t needed = std::max(bytes + kSlackBytes, kSmallestClassBytes);
  const uint64_t step = std::bit_floor(needed) / 4;  // a power of two
  return (needed + step - 1) & ~(step - 1);
}

size_t MemoryPool::class_index(uint64_t class_bytes) {
  const int exponent = std::bit_width(class_bytes) - 1;
  const uint64_t quarter = (class_bytes >> (exponent - 2)) & 3;
  return static_cast<size_t>(exponent) * 4 + quarter;
}

MemoryPool::Acquired MemoryPool::acquire(uint64_t bytes) {
  const uint64_t rounded = class_bytes(bytes);
  if (rounded == 0) return {};
  {
    const std::lock_guard lock(mutex_);
    if (rounded > limits_.max_active_bytes - statistics_.active_bytes) return {};
    SizeClass& cached = classes_[class_index(rounded)];
    add_active(rounded);
    if (!cached.empty()) {
      MemoryBlock block = cached.back().block;
      cached.pop_back();
      statistics_.cached_bytes -= rounded;
      return {block, true};
    }
  }
  MemoryBlock block = source_->allocate(rounded);
  if (block.data == nullptr) {
    trim();
    block = source_->allocate(rounded);
  }
  if (block.data == nullptr) {
    const std::lock_guard lock(mutex_);
    statistics_.active_bytes -= rounded;
  }
  return {block, false};
}

void MemoryPool::add_active(uint64_t bytes) {
  statistics_.active_bytes += bytes;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.active_bytes);
}

void MemoryPool::release(MemoryBlock block) {
  const std::lock_guard lock(mutex_);
  block.zeroed = false;
  statistics_.active_bytes -= block.bytes;
  statistics_.cached_bytes += block.bytes;
  classes_[class_index(block.bytes)].push_back({block, releases_++});
  while (statistics_.cached_bytes > limits_.max_cached_bytes) release_oldest();
}

void MemoryPool::release_oldest() {
  SizeClass* oldest = nullptr;
  for (SizeClass& size_class : classes_) {
    if (size_class.empty()) continue;
    if (oldest == nullptr || size_class.front().freed_at < oldest->front().freed_at) {
      oldest = &size_class;
    }
  }
  const MemoryBlock block = oldest->front().block;
  oldest->erase(oldest->begin());
  statistics_.cached_bytes -= block.bytes;
  source_->release(block);
}

void MemoryPool::release_all_cached() {
  for (SizeClass& size_class : classes_) {
    for (const Cached& cached : size_class) source_->release(cached.block);
    size_class.clear();
  }
  statistics_.cached_bytes = 0;
}

void MemoryPool::trim() {
  const std::lock_guard lock(mutex_);
  release_all_cached();
}

PoolLimits MemoryPool::limits() const {
  const std::lock_guard lock(mutex_);
  return limits_;
}

void MemoryPool::set_limits(PoolLimits limits) {
  const std::lock_guard lock(mutex_);
  limits_ = limits;
  while (statistics_.cached_bytes > limits_.max_cached_bytes) release_oldest();
}

void MemoryPool::reset_peak() {
  const std::lock_guard lock(mutex_);
  statistics_.peak_bytes = 0;
}

MemoryStatistics MemoryPool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

}  // namespace assay::device
