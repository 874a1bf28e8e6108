// Facts about the device and its memory, for programs.
#include <sys/sysinfo.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>

#include "assay/memory.h"
#include "assay/metal.h"
#include "device/current.h"

namespace assay {
namespace {

DeviceInfo read_device_info() {
  struct sysinfo machine = {};
  sysinfo(&machine);
  const size_t memory = size_t{machine.totalram} * machine.mem_unit;
  const device::Device& device = device::current_device();
  DeviceInfo info;
  info["device_name"] = device.name();
  info["architecture"] = std::string("cpu");
  info["memory_size"] = memory;
  info["max_buffer_length"] = memory;
  info["max_recommended_working_set_size"] = memory / 4 * 3;
  info["resource_limit"] = size_t{1} << 30;
  return info;
}

}  // namespace

const DeviceInfo& device_info(const Device& /*device*/) {
  static const DeviceInfo info = read_device_info();
  return info;
}

bool metal::is_available() { return true; }
const DeviceInfo& metal::device_info() { return assay::device_info(Device(Device::gpu)); }

size_t get_active_memory() { return device::current_device().memory().active_bytes; }
size_t get_peak_memory() { return device::current_device().memory().peak_bytes; }
size_t get_cache_memory() { return device::current_device().memory().cached_bytes; }
void reset_peak_memory() { device::current_device().reset_peak_memory(); }
void clear_cache() { device::current_device().trim_memory(); }

namespace {

// A wish, not a wall, as in MLX: the machine's own memory is the wall.
std::atomic<size_t>& memory_limit() {
  static std::atomic<size_t> limit = device::current_device().memory_limits().max_active_bytes;
  return limit;
}

}  // namespace

size_t get_memory_limit() { return memory_limit(); }
size_t set_memory_limit(size_t limit) { return memory_limit().exchange(limit); }

size_t set_cache_limit(size_t limit) {
  device::PoolLimits limits = device::current_device().memory_limits();
  const size_t before = std::exchange(limits.max_cached_bytes, limit);
  device::current_device().set_memory_limits(limits);
  return before;
}

size_t set_wired_limit(size_t limit) {
  static std::atomic<size_t> current = 0;
  const auto most = std::get<size_t>(metal::device_info().at("max_recommended_working_set_size"));
  if (limit > most) {
    throw std::invalid_argument(
        "[set_wired_limit] The limit is larger than the maximum working set size of " +
        std::to_string(most) + " bytes.");
  }
  return current.exchange(limit);
}

}  // namespace assay
