// Default devices and streams. Queues belong to evaluation; here streams are only numbers.
#include "assay/stream.h"

#include <map>
#include <mutex>
#include <stdexcept>

namespace assay {
namespace {

// Stream 0 is the default of the GPU, 1 that of the CPU.
struct Streams {
  std::mutex mutex;
  std::vector<Stream> all{Stream(0, Device(Device::gpu)), Stream(1, Device(Device::cpu))};
};

// Never destroyed: threads of the user may still make streams at the end.
Streams& streams() {
  static auto* streams = new Streams;
  return *streams;
}

struct Defaults {
  Device device{Device::gpu};
  std::map<Device, Stream> streams;
};

Defaults& defaults() {
  thread_local Defaults values;
  return values;
}

void require_device(const Device& device, const char* call) {
  if (is_available(device)) return;
  throw std::invalid_argument("[" + std::string(call) + "] Cannot use device (" +
                              (device == Device::gpu ? "gpu" : "cpu") + ", " +
                              std::to_string(device.index) + "): there is only index 0.");
}

}  // namespace

const Device& default_device() { return defaults().device; }

void set_default_device(const Device& device) {
  require_device(device, "set_default_device");
  defaults().device = device;
}

bool is_available(const Device& device) { return device.index == 0; }

int device_count(Device::DeviceType /*type*/) { return 1; }

bool gpu::is_available() { return assay::is_available(Device::gpu); }

Stream default_stream(Device device) {
  require_device(device, "default_stream");
  const auto& chosen = defaults().streams;
  const auto found = chosen.find(device);
  if (found != chosen.end()) return found->second;
  return Stream(device == Device::gpu ? 0 : 1, device);
}

void set_default_stream(Stream stream) {
  require_device(stream.device, "set_default_stream");
  defaults().streams.insert_or_assign(stream.device, stream);
}

Stream new_stream(Device device) {
  require_device(device, "new_stream");
  Streams& known = streams();
  const std::lock_guard lock(known.mutex);
  known.all.emplace_back(static_cast<int>(known.all.size()), device);
  return known.all.back();
}

Stream new_thread_unsafe_stream(Device device) { return new_stream(device); }

ThreadLocalStream new_thread_local_stream(Device device) {
  const Stream named = new_stream(device);
  return ThreadLocalStream(named.index, named.device);
}

Stream stream_from_thread_local_stream(ThreadLocalStream stream) {
  thread_local std::map<int, Stream> known;
  const auto found = known.find(stream.index);
  if (found != known.end()) return found->second;
  return known.emplace(stream.index, new_stream(stream.device)).first->second;
}

std::vector<Stream> get_streams() {
  const std::lock_guard lock(streams().mutex);
  return streams().all;
}

Stream new_stream() { return new_stream(default_device()); }

Stream to_stream(const StreamOrDevice& where) { return to_stream(where, default_device()); }

Stream to_stream(const StreamOrDevice& where, Device fallback) {
  if (const auto* stream = std::get_if<Stream>(&where.target())) return *stream;
  if (const auto* device = std::get_if<Device>(&where.target())) return default_stream(*device);
  return default_stream(fallback);
}

StreamContext::StreamContext(StreamOrDevice where)
    : device_(default_device()), stream_(default_stream(device_)) {
  if (std::holds_alternative<std::monostate>(where.target())) {
    throw std::runtime_error(
        "[StreamContext] Invalid argument, please specify a stream or device.");
  }
  const Stream stream = to_stream(where);
  // The default stream to restore is the one of the device that is about to change.
  stream_ = default_stream(stream.device);
  set_default_device(stream.device);
  set_default_stream(stream);
}

StreamContext::~StreamContext() {
  set_default_device(device_);
  set_default_stream(stream_);
}

}  // namespace assay
