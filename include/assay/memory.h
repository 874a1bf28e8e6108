// Memory of arrays, in bytes.
#pragma once

#include <cstddef>

#include "assay/export.h"

namespace assay {

// Held by arrays, at most since reset_peak_memory(), and kept for reuse.
ASSAY_API size_t get_active_memory();
ASSAY_API size_t get_peak_memory();
ASSAY_API void reset_peak_memory();
ASSAY_API size_t get_cache_memory();
// Each sets a limit and returns the one before.
ASSAY_API size_t set_memory_limit(size_t limit);
ASSAY_API size_t get_memory_limit();
ASSAY_API size_t set_cache_limit(size_t limit);
// Kept for programs written for macOS; there is nothing to wire here.
ASSAY_API size_t set_wired_limit(size_t limit);
// Gives memory kept for reuse back to the system.
ASSAY_API void clear_cache();

}  // namespace assay
