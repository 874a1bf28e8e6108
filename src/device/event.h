// A value that only grows: queues and host threads wait until it has reached a number.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace assay::device {

// Thread-safe. Waiting before the signal is sent, even before it is submitted, is fine.
class Event {
 public:
  explicit Event(uint64_t id = 0) : id_(id) {}

  // Unique among the events, buffers, queues… of a device.
  uint64_t id() const { return id_; }
  uint64_t value() const { return value_.load(std::memory_order_acquire); }

  // Raises the value to `value`; a smaller one changes nothing.
  void signal(uint64_t value);

  void wait(uint64_t value);
  // False when the time is over before the value is reached.
  bool wait_for(uint64_t value, std::chrono::nanoseconds timeout);
  // False when a stop is requested before the value is reached.
  bool wait(uint64_t value, std::stop_token stop);

 private:
  const uint64_t id_;
  std::atomic<uint64_t> value_ = 0;
  std::mutex mutex_;
  std::condition_variable_any raised_;
};

}  // namespace assay::device
