// Memory that host and device both see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "device/device_state.h"
#include "device/memory_source.h"

namespace assay::device {

// Made by Device::allocate, or by Device::adopt on memory of somebody else. Reading or writing the
// contents while a command that uses the buffer is under way is a data race, as on any device. The
// memory goes back to the device's pool when the last owner lets go; command buffers own what they
// use until they are done.
class Buffer {
 public:
  struct Identity {
    uint64_t id = 0;
    uint64_t bytes = 0;
    std::string label;
    bool reused = false;
  };
  // With a `release` the memory is somebody else's, and that is called instead of giving it back to
  // the pool.
  Buffer(std::shared_ptr<DeviceState> device, MemoryBlock block, Identity identity,
         std::function<void()> release = {});
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Aligned to a page (64 bytes when smaller than one) where it is the device's own. Nobody reads
  // or writes behind the end: there need not be any memory.
  std::span<std::byte> contents() { return {block_.data, identity_.bytes}; }
  std::span<const std::byte> contents() const { return {block_.data, identity_.bytes}; }
  std::byte* data() { return block_.data; }
  const std::byte* data() const { return block_.data; }

  uint64_t size() const { return identity_.bytes; }
  uint64_t id() const { return identity_.id; }
  const std::string& label() const { return identity_.label; }
  // True when the memory came from the pool and holds what an earlier buffer left.
  bool reused() const { return identity_.reused; }
  // True for memory of somebody else, which commands may read but nothing may be written to.
  bool is_adopted() const { return release_ != nullptr; }
  const DeviceState* device() const { return device_.get(); }

 private:
  const std::shared_ptr<DeviceState> device_;
  const MemoryBlock block_;
  const Identity identity_;
  const std::function<void()> release_;
};

}  // namespace assay::device
