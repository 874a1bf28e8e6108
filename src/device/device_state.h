// What a device shares with the buffers, kernels and queues made from it, which may outlive it.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "device/device_limits.h"
#include "device/launch_checks.h"
#include "device/memory_pool.h"
#include "device/observer_list.h"
#include "kernel/print.h"

namespace assay::device {

// From names of checks, as users write them.
using CheckMaker = std::function<Result<std::shared_ptr<CheckService>>(std::string_view names)>;

struct DeviceState {
  DeviceState(std::string device_name, DeviceLimits device_limits,
              std::unique_ptr<MemorySource> source, PoolLimits pool_limits)
      : name(std::move(device_name)),
        limits(device_limits),
        memory(std::move(source), pool_limits) {}

  uint64_t new_id() { return next_id.fetch_add(1, std::memory_order_relaxed); }

  const std::string name;
  const DeviceLimits limits;
  ObserverList observers;
  MemoryPool memory;
  // Buffers, kernels, queues and command buffers share one count: an id names one thing.
  std::atomic<uint64_t> next_id = 1;
  // Watches launches of checked kernels; null when nobody does. Set before the device is used.
  std::shared_ptr<CheckService> checks = nullptr;
  // Makes services for single commands; null: none can be checked. Set before the device is used.
  CheckMaker check_maker = nullptr;
  // Shows what kernels print; null: nobody sees it. Called by the thread of a queue, by several at
  // once. Set before the device is used.
  std::function<void(const kernel::PrintedLines&)> print_handler = nullptr;
  // What new memory is filled with, so that it shows whether anybody wrote it. Set with `checks`.
  std::optional<uint64_t> memory_pattern = {};
};

}  // namespace assay::device
