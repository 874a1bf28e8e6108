// What all queues share: identity and the making of command buffers.
#include "device/queue.h"

namespace assay::device {

Queue::Queue(std::shared_ptr<DeviceState> device, std::string label)
    : device_(std::move(device)), label_(std::move(label)), id_(device_->new_id()) {
  if (device_->observers.empty()) return;
  device_->observers.notify([&](Observer& observer) { observer.on_queue_created({id_, label_}); });
}

Queue::~Queue() {
  if (device_->observers.empty()) return;
  device_->observers.notify(
      [&](Observer& observer) { observer.on_queue_destroyed({id_, label_}); });
}

std::unique_ptr<CommandBuffer> Queue::command_buffer(std::string label) {
  CommandBuffer::Identity identity{device_->new_id(), id_, std::move(label), label_};
  return std::make_unique<CommandBuffer>(device_, std::move(identity));
}

}  // namespace assay::device
