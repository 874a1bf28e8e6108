// Recording of a process that runs already: it is asked to begin and told to stop.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.h"
#include "runtime/recording.h"

namespace assay::cli {

// Why a recording of a running process ended.
enum class AttachEnd : uint8_t {
  kInterrupted,  // Ctrl-C or SIGTERM, which end this and not the process
  kTimeLimit,
  kProcessEnded,
};

// Returns when the process has written its part, or has ended. The error says why it cannot be
// recorded.
Result<AttachEnd> record_process(pid_t process, const runtime::RecordingRequest& request);

}  // namespace assay::cli
