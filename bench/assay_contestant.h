// assay as it runs a workload of the benchmarks.
#pragma once

#include <memory>

#include "bench/contestant.h"
#include "device/device.h"
#include "pipeline/pipeline_cache.h"

namespace assay::bench {

// Compiles the workload's .metal file.
Result<std::unique_ptr<Contestant>> make_assay(pipeline::PipelineCache& pipelines,
                                               const Workload& workload);

}  // namespace assay::bench
