// See recording_line.h.
#include "cli/record/recording_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include "base/format.h"

namespace assay::cli {

RecordingLine::RecordingLine(const Console& console, const PartsFolder& folder, std::string ending)
    : ending_(std::move(ending)) {
  if (::isatty(STDERR_FILENO) == 1)
    thread_ = std::thread([this, &console, &folder] { show(console, folder); });
}

RecordingLine::~RecordingLine() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  changed_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void RecordingLine::show(const Console& console, const PartsFolder& folder) {
  constexpr auto kInterval = std::chrono::seconds(1);
  constexpr const char* kClearLine = "\r\033[K";
  std::unique_lock lock(mutex_);
  int seconds = 0;
  while (!changed_.wait_for(lock, kInterval, [this] { return is_over_; })) {
    console.print_aside(fmt::format("{}recording {} s, {}; Ctrl-C ends {}", kClearLine, ++seconds,
                                    base::format_bytes(folder.bytes()), ending_));
  }
  if (seconds > 0) console.print_aside(kClearLine);
}

}  // namespace assay::cli
