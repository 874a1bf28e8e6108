// Memory that host and device both see.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "device/device_state.h"
#include "device/memory_source.h"

namespace assay::device {

// Made by Device::allocate. Reading or writing the contents while a command that uses the buffer
// is under way is a data race, as on any device. The memory goes back to the device's pool when the
// last owner lets go; command buffers own what they use until they are done.
class Buffer {
 public:
  struct Identity {
    uint64_t id = 0;
    uint64_t bytes = 0;
    std::string label;
    bool reused = false;
  };
  Buffer(std::shared_ptr<DeviceState> device, MemoryBlock block, Identity identity);
  ~Buffer();
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  // Aligned to a page (64 bytes when smaller than one). Behind the end lie at least 64 more bytes
  // that may be read, so that vector code needs no special last round.
  std::span<std::byte> contents() { return {block_.data, identity_.bytes}; }
  std::span<const std::byte> contents() const { return {block_.data, identity_.bytes}; }
  std::byte* data() { return block_.data; }
  const std::byte* data() const { return block_.data; }

  uint64_t size() const { return identity_.bytes; }
  uint64_t id() const { return identity_.id; }
  const std::string& label() const { return identity_.label; }
  // True when the memory came from the pool and holds what an earlier buffer left.
  bool reused() const { return identity_.reused; }
  const DeviceState* device() const { return device_.get(); }

 private:
  const std::shared_ptr<DeviceState> device_;
  const MemoryBlock block_;
  const Identity identity_;
};

}  // namespace assay::device
