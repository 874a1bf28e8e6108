// Runs the commands of a trace document again, without the program that was captured.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pipeline/pipeline_cache.h"
#include "replay/kernel_set.h"
#include "replay/replay_plan.h"
#include "replay/report.h"
#include "trace/document.h"

namespace assay::replay {

struct Progress {
  std::string_view activity;
  uint64_t done = 0;
  uint64_t total = 0;
};

struct ReplayOptions {
  CommandRange range = {};
  std::vector<Replacement> replacements = {};
  // Compares what commands leave with the capture, and goes on from what the capture has. False:
  // every command goes on from what those before it left, and runs once.
  bool verifies = true;
  double tolerance = 1e-5;
  // Runs of each command beside the one that is verified; 0: nothing is timed. Wants `verifies`.
  uint32_t repeats = 0;
  uint32_t warm_ups = 1;  // further runs before those, which do not count
  std::function<void(const Progress&)> on_progress = {};
};

// On the device of `pipelines`. Commands run one after the other in the order they ended in the
// capture, each on a queue that stands for its own: that order has everything it needs done before
// it, and no other command disturbs its time. Errors are for documents that cannot be replayed;
// differences are in the report. The kernels of the document run as code of this process.
Result<Report> replay(const trace::Document& document, pipeline::PipelineCache& pipelines,
                      const ReplayOptions& options = {});

}  // namespace assay::replay
