// Where work runs: devices, and streams as independent orders of work on them.
#pragma once

#include <compare>
#include <cstddef>
#include <source_location>
#include <string>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "assay/export.h"

namespace assay {

struct Device {
  enum class DeviceType : uint8_t { cpu, gpu };
  static constexpr DeviceType cpu = DeviceType::cpu;
  static constexpr DeviceType gpu = DeviceType::gpu;

  Device(DeviceType type, int index = 0) : type(type), index(index) {}
  auto operator<=>(const Device&) const = default;

  DeviceType type;
  int index;
};
inline bool operator==(const Device& device, Device::DeviceType type) {
  return device.type == type;
}

// Work of one stream runs in the order of its evaluation; streams run beside each other and wait
// for one another only where an array goes from one to the next.
struct Stream {
  Stream(int index, Device device) : index(index), device(device) {}
  bool operator==(const Stream&) const = default;
  auto operator<=>(const Stream& other) const {
    return std::pair(device, index) <=> std::pair(other.device, other.index);
  }

  int index;
  Device device;
};

// Defaults belong to the calling thread.
ASSAY_API const Device& default_device();
ASSAY_API void set_default_device(const Device& device);
ASSAY_API bool is_available(const Device& device);
ASSAY_API int device_count(Device::DeviceType type);
namespace gpu {
ASSAY_API bool is_available();
}

using DeviceInfo = std::unordered_map<std::string, std::variant<std::string, size_t>>;
// Computed once; the same object each call.
ASSAY_API const DeviceInfo& device_info(const Device& device = default_device());

ASSAY_API Stream default_stream(Device device);
ASSAY_API void set_default_stream(Stream stream);
ASSAY_API Stream new_stream(Device device);
ASSAY_API Stream new_stream();
// The same: threads may share every stream.
ASSAY_API Stream new_thread_unsafe_stream(Device device);
// Stands for a stream of its own in every thread that uses it.
struct ThreadLocalStream : Stream {
  using Stream::Stream;
};
ASSAY_API ThreadLocalStream new_thread_local_stream(Device device);
ASSAY_API Stream stream_from_thread_local_stream(ThreadLocalStream stream);
ASSAY_API std::vector<Stream> get_streams();
// Waits for everything evaluated on the stream so far.
ASSAY_API void synchronize();
ASSAY_API void synchronize(Stream stream);
inline void synchronize(ThreadLocalStream stream) {
  synchronize(stream_from_thread_local_stream(stream));
}
// Waits for everything evaluated on any stream so far.
ASSAY_API void clear_streams();

// The last argument of every op: a stream, a device (its default stream) or nothing. It also brings
// the C++ line of the call along, which errors and traces show.
class StreamOrDevice {
 public:
  StreamOrDevice(std::source_location site = std::source_location::current()) : site_(site) {}
  StreamOrDevice(std::monostate, std::source_location site = std::source_location::current())
      : site_(site) {}
  StreamOrDevice(Stream stream, std::source_location site = std::source_location::current())
      : target_(stream), site_(site) {}
  StreamOrDevice(ThreadLocalStream stream,
                 std::source_location site = std::source_location::current())
      : target_(stream_from_thread_local_stream(stream)), site_(site) {}
  StreamOrDevice(Device device, std::source_location site = std::source_location::current())
      : target_(device), site_(site) {}
  StreamOrDevice(Device::DeviceType type,
                 std::source_location site = std::source_location::current())
      : target_(Device(type)), site_(site) {}

  const std::variant<std::monostate, Stream, Device>& target() const { return target_; }
  const std::source_location& site() const { return site_; }

 private:
  std::variant<std::monostate, Stream, Device> target_;
  std::source_location site_;
};

ASSAY_API Stream to_stream(const StreamOrDevice& where);
// The same, on `fallback` when nothing is given.
ASSAY_API Stream to_stream(const StreamOrDevice& where, Device fallback);

// Makes a stream or device the default of this thread until the end of the scope.
class ASSAY_API StreamContext {
 public:
  explicit StreamContext(StreamOrDevice where);
  ~StreamContext();
  StreamContext(const StreamContext&) = delete;
  StreamContext& operator=(const StreamContext&) = delete;

 private:
  Device device_;
  Stream stream_;
};

}  // namespace assay
