// What ops cost on this machine, alone and in fused kernels: the figures from which a report
// estimates what fusing saves (analysis/report/fusion_estimate.h).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay::runtime {

// As trace::MeasurementRecord, whose namespace is an op's name where arrays are known.
struct OpMeasurement {
  std::string name;
  double value = 0;
  std::string unit;
};

// copy_bandwidth_N: bytes/s of an op that moves N bytes and computes next to nothing.
// in_place_bandwidth_N: the same where it writes to the array that it reads.
// cost_of_OP: ns of computing OP for one element inside of a fused kernel.
// time_of_OP: ns that OP takes for one element in a kernel of its own, with data in a cache.
// exposed_traffic: the share of its traffic that a fused kernel does not hide behind computing.
// evaluation_of_one, evaluation_of_fused: ns of the host, from the first op to the values, for one
// op and for a compiled function, where there is next to nothing to compute.
Result<std::vector<OpMeasurement>> measure_ops();

}  // namespace assay::runtime
