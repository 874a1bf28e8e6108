// The part of this process in a recording that `assay record` makes: a timeline from the first
// evaluation to the end of the process, in a document of its own; the command joins them. A running
// program is asked through runtime/control_page.h, and stops when it is told to.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace assay::runtime {

// What ASSAY_RECORD and the control page say, in this order:
// "begin=NS,limit=SECONDS,ring=SECONDS,folder=PATH".
struct RecordingRequest {
  uint64_t begin_ns = 0;     // when the recording began, of the steady clock
  double limit_s = 0;        // no longer than this; 0: until the process ends
  double ring_s = 0;         // only the last seconds; 0: all
  std::string folder;        // each process writes a document named by its number
  bool is_attached = false;  // to a running program; not a part of the text

  std::string text() const;
};
Result<RecordingRequest> parse_recording_request(const std::string& text);

// Called once, when the library is loaded. Where nobody records, an evaluation costs a look at one
// word of memory.
void start_recording();
// Called when the process ends, perhaps more than once.
void end_recording();

}  // namespace assay::runtime
