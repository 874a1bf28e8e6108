// From source text to runnable code: a new kernel, and one that an earlier process has left in the
// kernel cache.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "bench/comparison.h"
#include "bench/contestant.h"
#include "bench/peer_process.h"
#include "pipeline/pipeline_cache.h"

namespace assay::bench {

// Ours and PoCL's, a kernel nobody has seen in each round. PoCL makes code at the first launch, so
// its time includes a tiny one.
Result<void> time_new_kernels(pipeline::PipelineCache& pipelines, PeerProcess& peer,
                              unsigned rounds, Clock clock, Comparison& comparison);

// Ours in a fresh process each round: this program again, with kCachedFlag and the folder.
Result<void> time_cached_kernel(const std::filesystem::path& folder, unsigned rounds, Clock clock,
                                Comparison& comparison);

// That process: prints the nanoseconds. The exit status of the program; nothing when the arguments
// are not those of such a process.
std::optional<int> run_cached_process(int argc, char** argv);

}  // namespace assay::bench
