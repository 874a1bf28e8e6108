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
// cost_of_OP: ns of computing OP for one element inside of a fused kernel.
// exposed_traffic: the share of its traffic that a fused kernel does not hide behind computing.
// evaluation_of_one, evaluation_of_fused: ns of the host, from the first op to the values, for one
// op and for a compiled function, where there is next to nothing to compute.
Result<std::vector<OpMeasurement>> measure_ops();

}  // namespace assay::runtime
