// How much of the memory traffic that fusing avoids becomes saved time on this machine. The rest is
// computing, which a single op hides behind its traffic.
#pragma once

#include "base/result.h"

namespace assay::runtime {

// Saved time, as a share of the time that the traffic takes.
struct FusionShares {
  double cheap = 1;   // of chains of sums and products
  double costly = 1;  // of chains of functions such as exp
};

// `bandwidth` is the peak, in bytes/s.
Result<FusionShares> measure_fusion(double bandwidth);

}  // namespace assay::runtime
