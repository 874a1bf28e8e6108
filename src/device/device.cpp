// Allocation: limits, pool and errors.
#include "device/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace assay::device {
namespace {

void fill_pattern(std::span<std::byte> memory, uint64_t pattern) {
  for (size_t at = 0; at < memory.size(); at += sizeof(pattern)) {
    std::memcpy(&memory[at], &pattern, std::min(sizeof(pattern), memory.size() - at));
  }
}

Error too_large(uint64_t bytes, std::string_view label, const DeviceLimits& limits) {
  return Error{
      fmt::format("[allocate] {} bytes for buffer '{}' are over the device's maximum of {} "
                  "bytes per buffer; split the data",
                  bytes, label, limits.max_buffer_bytes)};
}

}  // namespace

Result<std::shared_ptr<CheckService>> Device::create_checks(std::string_view names) const {
  if (state_->check_maker != nullptr) return state_->check_maker(names);
  return Error{"[device] '" + state_->name + "' cannot check kernels"};
}

Result<std::shared_ptr<Buffer>> Device::allocate(uint64_t bytes, std::string_view label,
                                                 AllocateOptions options) {
  if (Result<void> allowed = before_allocate(bytes); !allowed) return allowed.error();
  if (bytes > limits().max_buffer_bytes) return too_large(bytes, label, limits());
  MemoryPool::Acquired acquired = state_->memory.acquire(bytes);
  if (acquired.block.data == nullptr) {
    const MemoryStatistics memory = this->memory();
    return Error{
        fmt::format("[allocate] out of memory: {} bytes for buffer '{}', {} bytes are in use "
                    "of {}; free buffers first",
                    bytes, label, memory.active_bytes, state_->memory.limits().max_active_bytes)};
  }
  if (options.zeroed && !acquired.block.zeroed) {
    std::memset(acquired.block.data, 0, bytes);
  } else if (!options.zeroed && state_->memory_pattern.has_value()) {
    fill_pattern({acquired.block.data, bytes}, *state_->memory_pattern);
  }
  Buffer::Identity identity{state_->new_id(), bytes, std::string(label), acquired.reused};
  return std::make_shared<Buffer>(state_, acquired.block, std::move(identity));
}

Result<std::shared_ptr<Buffer>> Device::adopt(std::span<std::byte> memory,
                                              std::function<void()> release,
                                              std::string_view label) {
  if (memory.size() > limits().max_buffer_bytes) return too_large(memory.size(), label, limits());
  const MemoryBlock block{.data = memory.data(), .bytes = memory.size()};
  Buffer::Identity identity{state_->new_id(), memory.size(), std::string(label)};
  return std::make_shared<Buffer>(state_, block, std::move(identity), std::move(release));
}

void Device::notify_loaded(const LoadedKernel& kernel, const kernel::KernelImage* image) const {
  if (state_->observers.empty()) return;
  const kernel::LoadDescription description{kernel.id(), kernel.info().name, image};
  state_->observers.notify([&](Observer& observer) { observer.on_kernel_loaded(description); });
}

}  // namespace assay::device
