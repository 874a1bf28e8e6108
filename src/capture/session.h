// One capture: from an empty document to a finished one.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "capture/recorder.h"

namespace assay::capture {

struct SessionOptions {
  std::string path;
  RecorderOptions recorder;
  trace::WriterOptions writer = {};
  // What is known of the device's speed; goes into the document.
  std::vector<trace::MeasurementRecord> measurements = {};
};

struct SessionSummary {
  std::string path;
  RecorderCounts counts;
  // For people, empty unless there is something to say: why nothing was captured, for example.
  std::string remark;
};

// Records the device from start to stop. stop() is called once; the destructor does it otherwise.
class Session {
 public:
  // Work that is submitted later is in the capture. The caller waits for earlier work.
  static Result<std::unique_ptr<Session>> start(std::shared_ptr<device::Device> device,
                                                SessionOptions options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Waits for the work of the capture. The error says what of the document is missing.
  Result<SessionSummary> stop();

  const std::string& path() const { return writer_->path(); }
  const RecorderOptions& options() const { return options_; }
  // For what does not come from the device; empty once stopped.
  std::weak_ptr<Recorder> recorder() const { return recorder_; }

 private:
  Session(std::shared_ptr<device::Device> device, std::unique_ptr<trace::Writer> writer,
          RecorderOptions options);
  void add_facts();

  const std::shared_ptr<device::Device> device_;
  const RecorderOptions options_;
  std::unique_ptr<trace::Writer> writer_;
  std::shared_ptr<Recorder> recorder_;  // null once stopped
};

}  // namespace assay::capture
