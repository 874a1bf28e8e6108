// How long a chain of element-wise kernels would take as one: from the times that were recorded and
// what `assay devices --measure` found about this machine.
#pragma once

#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "analysis/report/chains.h"

namespace assay::analysis {

// Figures of the machine; what nobody measured is left out of the estimate.
class FusionCosts {
 public:
  explicit FusionCosts(const Timeline& timeline);

  // Nanoseconds that the chains, all of the same kernels, would take with one kernel each.
  double fused_ns(const Timeline& timeline, std::span<const Chain* const> chains) const;
  // Nanoseconds of the host that the chains no longer need, where the device waits for it.
  double saved_host_ns(const Activity& activity, std::span<const Chain* const> chains) const;

 private:
  // What a kernel's time goes to on this machine when nothing else runs.
  struct Parts {
    double compute_ns = 0;  // inside of a fused kernel
    double alone_ns = 0;    // in a kernel of its own, with data in a cache
    double memory_ns = 0;
  };
  struct Step {
    Parts parts;
    double work_ns = 0;   // as recorded, without the launch
    double usual_ns = 0;  // when nothing else runs
  };
  // Of the commands at one place of the chains that move the same number of bytes.
  struct Shortest {
    double time_ns = std::numeric_limits<double>::infinity();
    int count = 0;
  };
  using ShortestTimes = std::map<std::pair<size_t, int64_t>, Shortest>;

  Parts parts_of(const std::string& kernel, const TimedCommand& command, bool is_in_place) const;
  double work_ns(const TimedCommand& command) const;
  ShortestTimes find_shortest(std::span<const Chain* const> chains) const;
  static double usual_ns(const Shortest& shortest, const Parts& parts);
  std::vector<Step> steps_of(const Timeline& timeline, const Chain& chain,
                             const ShortestTimes& shortest) const;
  // Time that computing took against the time when it was measured.
  static double clock_of(const std::vector<Step>& steps);
  double fused_ns(const std::vector<Step>& steps, const Chain& chain) const;

  std::map<std::string, double, std::less<>> op_costs_, op_times_;   // ns of an element
  std::map<int64_t, double> copy_bandwidths_, in_place_bandwidths_;  // by bytes moved
  double launch_overhead_ns_ = 0;
  double exposed_traffic_ = 0;  // share
  double evaluation_of_one_ns_ = 0, evaluation_of_fused_ns_ = 0;
};

}  // namespace assay::analysis
