// Element-wise commands that feed each other within one evaluation: what compile would make one
// kernel of.
#pragma once

#include <vector>

#include "analysis/report/activity.h"

namespace assay::analysis {

struct Chain {
  std::vector<const TimedCommand*> commands;  // in the order they began; at least two
  int64_t time_ns = 0;                        // sum of the commands'
  int64_t between_ns = 0;                     // from one to the next, launching
  int64_t bytes = 0;                          // read and written, one by one
  int64_t fused_bytes = 0;                    // of one kernel in their place

  int64_t saved_bytes() const { return bytes - fused_bytes; }
};

// In the window.
std::vector<Chain> find_chains(const Timeline& timeline, const Activity& activity);

}  // namespace assay::analysis
