// How long a chain of element-wise kernels would take as one: from the times that were recorded and
// what `assay devices --measure` found about this machine.
#pragma once

#include <map>
#include <span>

#include "analysis/report/chains.h"

namespace assay::analysis {

// Figures of the machine; what nobody measured is left out of the estimate.
class FusionCosts {
 public:
  explicit FusionCosts(const Timeline& timeline);

  // Nanoseconds that the kernels of the chain would take as one.
  double fused_ns(const Timeline& timeline, const Chain& chain) const;
  // Nanoseconds of the host that the chains no longer need, where the device waits for it.
  double saved_host_ns(const Activity& activity, std::span<const Chain* const> chains) const;

 private:
  // What a kernel's time goes to on this machine when nothing else runs.
  struct Parts {
    double compute_ns = 0;
    double memory_ns = 0;
  };
  Parts parts_of(const std::string& kernel, const TimedCommand& command) const;
  double compute_ns(const std::string& kernel) const;  // of an element
  double copy_bandwidth(int64_t bytes) const;          // 0 where nobody knows

  std::map<std::string, double, std::less<>> op_costs_;  // ns of an element
  std::map<int64_t, double> copy_bandwidths_;            // by bytes moved
  double launch_overhead_ns_ = 0;
  double exposed_traffic_ = 0;  // share
  double evaluation_of_one_ns_ = 0, evaluation_of_fused_ns_ = 0;
};

}  // namespace assay::analysis
