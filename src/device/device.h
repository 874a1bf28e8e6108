// A machine that runs kernels: memory, queues and loaded kernels come from here.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "device/buffer.h"
#include "device/device_limits.h"
#include "device/device_state.h"
#include "device/event.h"
#include "device/loaded_kernel.h"
#include "device/observer.h"
#include "device/queue.h"
#include "kernel/kernel_image.h"

namespace assay::device {

struct AllocateOptions {
  bool zeroed = false;
};

// Thread-safe. What is made from a device stays usable after the device itself is gone.
class Device {
 public:
  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  virtual DeviceKind kind() const = 0;
  // A kernel must have been built for this device; the error says what does not fit.
  virtual Result<std::shared_ptr<LoadedKernel>> load(const kernel::KernelImage& image) = 0;
  virtual Result<std::unique_ptr<Queue>> create_queue(std::string label = {}) = 0;

  // Contents are undefined unless `zeroed` is asked for. 0 bytes give a valid buffer.
  Result<std::shared_ptr<Buffer>> allocate(uint64_t bytes, std::string_view label = {},
                                           AllocateOptions options = {});
  // A buffer on memory of somebody else, which no command may write to. `release` is called when
  // the last owner of the buffer lets go, by whatever thread that happens on.
  Result<std::shared_ptr<Buffer>> adopt(std::span<std::byte> memory, std::function<void()> release,
                                        std::string_view label = {});
  std::shared_ptr<Event> create_event() { return std::make_shared<Event>(state_->new_id()); }

  const std::string& name() const { return state_->name; }
  const DeviceLimits& limits() const { return state_->limits; }
  MemoryStatistics memory() const { return state_->memory.statistics(); }
  PoolLimits memory_limits() const { return state_->memory.limits(); }
  void set_memory_limits(PoolLimits limits) { state_->memory.set_limits(limits); }
  void reset_peak_memory() { state_->memory.reset_peak(); }
  // Gives the memory of freed buffers back to the system.
  void trim_memory() { state_->memory.trim(); }

  void add_observer(std::shared_ptr<Observer> observer) {
    state_->observers.add(std::move(observer));
  }
  // Before the first allocation. New memory then holds `pattern` until somebody writes it, unless
  // it is asked for zeroed.
  void set_checks(std::shared_ptr<CheckService> checks, uint64_t pattern) {
    state_->checks = std::move(checks);
    state_->memory_pattern = pattern;
  }
  // Whether everything that runs is checked.
  bool is_checked() const { return state_->checks != nullptr; }
  // Before the device is used.
  void set_check_maker(CheckMaker maker) { state_->check_maker = std::move(maker); }
  // For commands that are checked by themselves (see DispatchCommand), one or many; they need
  // kernels that were built for it. The error names what there is to check.
  Result<std::shared_ptr<CheckService>> create_checks(std::string_view names) const;
  // Before the first launch.
  void set_print_handler(std::function<void(const kernel::PrintedLines&)> handler) {
    state_->print_handler = std::move(handler);
  }
  // True if anybody listens; texts that only observers read need not be made otherwise.
  bool is_observed() const { return !state_->observers.empty(); }
  // True if somebody wants more than times: arrays and bindings of commands.
  bool is_observed_closely() const {
    return is_observed() && state_->observers.interest() == Interest::kEverything;
  }
  // For the layers above, which know what the program's threads do.
  void tell(const kernel::HostSpanDescription& span) const {
    state_->observers.notify([&](Observer& observer) { observer.on_host_span(span); });
  }
  void remove_observer(const Observer* observer) { state_->observers.remove(observer); }

 protected:
  explicit Device(std::shared_ptr<DeviceState> state) : state_(std::move(state)) {}
  const std::shared_ptr<DeviceState>& state() const { return state_; }

  // Called at the start of every allocation, so that a device can refuse it.
  virtual Result<void> before_allocate(uint64_t /*bytes*/) { return {}; }
  void notify_loaded(const LoadedKernel& kernel, const kernel::KernelImage* image) const;

 private:
  const std::shared_ptr<DeviceState> state_;
};

}  // namespace assay::device
