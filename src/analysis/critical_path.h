// The longest chain of commands of which each needs the one before: less time is not possible,
// however much runs at once.
#pragma once

#include <cstdint>

#include "trace/document.h"

namespace assay::analysis {

struct CriticalPath {
  int64_t commands = 0;
  int64_t time = 0;  // nanoseconds
  int64_t all_commands = 0;
  int64_t all_time = 0;  // of all commands
};

// In bounded memory, however many commands there are.
Result<CriticalPath> compute_critical_path(const trace::Document& document);

}  // namespace assay::analysis
