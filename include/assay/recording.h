// The part of this process in what `assay record` and `assay capture` keep.
#pragma once

#include "assay/export.h"

namespace assay::metal {

// Writes the rest and ends it, as the end of the process does: for programs that end without
// exit(), by _exit() or a signal. Does nothing where nobody records; may be called again.
ASSAY_API void finish_recording();

}  // namespace assay::metal
