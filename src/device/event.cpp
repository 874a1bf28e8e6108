// Waiting for and raising an event's value.
#include "device/event.h"

#include <utility>

namespace assay::device {

void Event::signal(uint64_t value) {
  {
    const std::lock_guard lock(mutex_);
    if (value <= value_.load(std::memory_order_relaxed)) return;
    value_.store(value, std::memory_order_release);
  }
  raised_.notify_all();
}

void Event::wait(uint64_t value) { wait(value, std::stop_token()); }

bool Event::wait_for(uint64_t value, std::chrono::nanoseconds timeout) {
  if (this->value() >= value) return true;
  std::unique_lock lock(mutex_);
  return raised_.wait_for(lock, timeout, [&] { return this->value() >= value; });
}

bool Event::wait(uint64_t value, std::stop_token stop) {
  if (this->value() >= value) return true;
  std::unique_lock lock(mutex_);
  return raised_.wait(lock, std::move(stop), [&] { return this->value() >= value; });
}

}  // namespace assay::device
