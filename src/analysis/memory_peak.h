// The most memory that was in use at once.
#pragma once

#include <cstdint>

#include "trace/document.h"

namespace assay::analysis {

struct MemoryPeak {
  int64_t bytes = 0;
  int64_t at = 0;         // nanoseconds since the capture began
  bool is_known = false;  // false where the trace says nothing about memory
};

// Of the buffers that the trace knows, exactly; where it knows none, the highest of the samples.
Result<MemoryPeak> compute_memory_peak(const trace::Document& document);

}  // namespace assay::analysis
