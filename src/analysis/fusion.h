// Finds element-wise kernels that became one between two traces, or one that came apart. A fused
// kernel has the names of its steps: sin_cos_exp.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/work_totals.h"

namespace assay::analysis {

struct Fusion {
  std::string fused;                         // the one kernel
  std::vector<std::string> parts;            // the kernels that it replaces, in its order
  bool has_more = false;                     // its name was cut: it replaces others too
  int64_t parts_count = 0, fused_count = 0;  // dispatches
  int64_t parts_time = 0, fused_time = 0;    // nanoseconds
  int64_t parts_bytes = 0, fused_bytes = 0;
};

// Kernels that run more often in `after` and whose parts run less often there. For kernels that
// came apart: the other way round.
std::vector<Fusion> find_fusions(std::span<const WorkTotals> before,
                                 std::span<const WorkTotals> after);

}  // namespace assay::analysis
