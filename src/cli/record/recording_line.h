// A line on the terminal that says how long a recording is; gone in the end.
#pragma once

#include <condition_variable>
#include <mutex>
#include <thread>

#include "cli/console.h"
#include "cli/record/parts_folder.h"

namespace assay::cli {

// Nothing where standard error is no terminal.
class RecordingLine {
 public:
  // `ending` says what Ctrl-C ends.
  RecordingLine(const Console& console, const PartsFolder& folder, std::string ending);
  ~RecordingLine();
  RecordingLine(const RecordingLine&) = delete;
  RecordingLine& operator=(const RecordingLine&) = delete;

 private:
  void show(const Console& console, const PartsFolder& folder);

  const std::string ending_;
  std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  bool is_over_ = false;
  std::thread thread_;
};

}  // namespace assay::cli
