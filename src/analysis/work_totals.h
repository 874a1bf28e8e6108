// What the commands of a trace cost, by kernel: one walk over the document.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/duration_statistics.h"
#include "analysis/wrapping.h"
#include "trace/document.h"

namespace assay::analysis {

// All commands of one name: a kernel's dispatches, or "[copy]", "[fill]", "[matrix product]".
struct WorkTotals {
  std::string name;
  bool is_kernel = false;
  DurationStatistics time;
  int64_t bytes_read = 0;  // of the ranges that its commands were given
  int64_t bytes_written = 0;
  int64_t failed = 0;

  int64_t bytes() const { return wrapping_add(bytes_read, bytes_written); }
};

struct TraceTotals {
  std::vector<WorkTotals> work;  // the longest time first; no waits, no signals
  bool has_bytes = false;        // false where the trace has only times
  int64_t first = 0, last = 0;   // beginning and end of all commands
  int64_t commands = 0;          // with waits and signals
  int64_t dispatches = 0, waits = 0, signals = 0, failed = 0;
  int64_t time = 0, bytes_read = 0, bytes_written = 0;  // sums over `work`
};

enum class WithBytes : bool { kNo, kYes };

// "[copy]"; a dispatch is named by its kernel.
std::string kind_name(int64_t kind);

Result<TraceTotals> compute_totals(const trace::Document& document, WithBytes with_bytes);

}  // namespace assay::analysis
