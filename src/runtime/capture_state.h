// The process's capture: at most one at a time, and the latch of the one that the environment asks
// for.
#pragma once

#include <string>

#include "assay/metal.h"
#include "base/result.h"
#include "base/settings.h"
#include "capture/session.h"

namespace assay::runtime {

// Thread-safe. Errors name the function that was called and what to do.
Result<void> begin_capture(const metal::CaptureOptions& options);
Result<capture::SessionSummary> end_capture();

// What ASSAY_CAPTURE says: detail=full|skeleton|timeline, count=N or count=all (evaluations),
// stream=N, name=TEXT, separated by commas.
struct CaptureRequest {
  metal::CaptureOptions options;  // without MLX_METAL_CAPTURE a path of its own
  uint64_t count = 1;             // 0: all
};
Result<CaptureRequest> parse_capture_request(const base::Settings& settings);

// True for the first caller since the last reset.
bool take_capture_latch();
void reset_capture_latch();

// Captures evaluations without help of the program, if the environment asks for it. Called once,
// when the library is loaded.
void start_environment_capture();
// Called when the process ends, perhaps more than once.
void end_environment_capture();

}  // namespace assay::runtime
