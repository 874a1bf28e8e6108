// The Metal device: facts, and captures of its work into trace documents.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "assay/stream.h"

namespace assay::metal {

// True: assay executes Metal kernels on every machine.
ASSAY_API bool is_available();
// device_name, architecture, memory_size, max_buffer_length, max_recommended_working_set_size,
// resource_limit; the same object each call.
ASSAY_API const DeviceInfo& device_info();

// --- capture -------------------------------------------------------------------------------------
//
// A capture holds the work that is submitted between start and stop, on any thread and stream:
// start waits for earlier work, stop for its own. There may be any number of captures in a process,
// one at a time. Needs MTL_CAPTURE_ENABLED=1 or METAL_CAPTURE_ENABLED=1 in the environment.
// Everything that goes wrong is a std::runtime_error that says why; the program can go on.

enum class CaptureDetail : uint8_t {
  full,      // commands, sources and the contents of buffers: can be replayed
  skeleton,  // everything but contents
  timeline,  // commands and their times only
};

struct CaptureOptions {
  // The document to write; must not exist. Under `assay view --launch` it may be empty: the viewer
  // shows the capture when it ends.
  std::string path;
  CaptureDetail detail = CaptureDetail::full;
  std::optional<Stream> stream = std::nullopt;  // only this one
  // Only commands whose kernel or operation contains this.
  std::string name = {};
};

ASSAY_API void start_capture(std::string path = "");
ASSAY_API void start_capture(const CaptureOptions& options);
// A capture with nothing in it is no error; a line on stderr says so and why.
ASSAY_API void stop_capture();

// Captures as long as it lives.
class ASSAY_API CaptureScope {
 public:
  explicit CaptureScope(std::string path);
  explicit CaptureScope(const CaptureOptions& options);
  // Writes an error to stderr.
  ~CaptureScope();
  CaptureScope(const CaptureScope&) = delete;
  CaptureScope& operator=(const CaptureScope&) = delete;
};

// The capture that the environment asks for: MLX_METAL_CAPTURE names its document. One per process.
// Nothing here throws; each failure is one line on stderr, and the program goes on without a
// capture.
class ASSAY_API MetalCapture {
 public:
  // Nothing unless MLX_METAL_CAPTURE is a path that can be written, capture is permitted, and no
  // earlier call has had its turn.
  static std::optional<MetalCapture> from_env(const Device& device = Device::gpu);

  MetalCapture(MetalCapture&& other) noexcept;
  MetalCapture& operator=(MetalCapture&& other) noexcept;
  // Like end().
  ~MetalCapture();

  // A second begin, and an end without a begin, do nothing.
  void begin();
  void end();
  bool is_capturing() const;
  const std::string& path() const;

 private:
  struct State;
  explicit MetalCapture(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Gives from_env() its turn again. For tests.
ASSAY_API void reset_capture_consumed_for_test();

}  // namespace assay::metal
