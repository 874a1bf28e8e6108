// Returns memory to the pool and tells observers.
#include "device/buffer.h"

#include <utility>

namespace assay::device {
namespace {

kernel::BufferDescription describe(const Buffer& buffer) {
  return {buffer.id(), buffer.size(), buffer.label(), buffer.reused(), buffer.contents()};
}

}  // namespace

Buffer::Buffer(std::shared_ptr<DeviceState> device, MemoryBlock block, Identity identity,
               std::function<void()> release)
    : device_(std::move(device)),
      block_(block),
      identity_(std::move(identity)),
      release_(std::move(release)) {
  if (device_->observers.empty()) return;
  device_->observers.notify([&](Observer& observer) { observer.on_allocate(describe(*this)); });
}

Buffer::~Buffer() {
  if (!device_->observers.empty()) {
    device_->observers.notify([&](Observer& observer) { observer.on_free(describe(*this)); });
  }
  if (release_) {
    release_();
  } else {
    device_->memory.release(block_);
  }
}

}  // namespace assay::device
