// See memory_peak.h.
#include "analysis/memory_peak.h"

#include "analysis/query.h"
#include "analysis/wrapping.h"

namespace assay::analysis {

using trace::Statement;

Result<MemoryPeak> compute_memory_peak(const trace::Document& document) {
  MemoryPeak peak;
  int64_t bytes = 0;
  // Releases first: what is freed and allocated in one nanosecond never was there together.
  Result<void> read = for_each_row(
      document,
      "SELECT at, bytes FROM (SELECT coalesce(allocated, 0) AS at, bytes FROM buffers UNION ALL "
      "SELECT freed, -bytes FROM buffers WHERE freed IS NOT NULL) ORDER BY at, bytes",
      [&](const Statement& row) {
        peak.is_known = true;
        bytes = wrapping_add(bytes, row.integer(1));
        if (bytes > peak.bytes) peak = {bytes, row.integer(0), true};
      });
  if (!read) return read.error();
  if (peak.is_known) return peak;
  read = for_each_row(document, "SELECT active, at FROM memory ORDER BY active DESC, at LIMIT 1",
                      [&](const Statement& row) { peak = {row.integer(0), row.integer(1), true}; });
  if (!read) return read.error();
  return peak;
}

}  // namespace assay::analysis
