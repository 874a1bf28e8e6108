// The kernels of a document, built again from their sources.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "pipeline/pipeline_cache.h"
#include "replay/parse_description.h"
#include "replay/replay_plan.h"
#include "replay/trace_tables.h"
#include "trace/document.h"

namespace assay::replay {

// Another source for all kernels of a name.
struct Replacement {
  std::string kernel;
  msl::Source source;
};

struct BuiltKernel {
  pipeline::LoadedKernelPtr kernel;
  std::vector<ReflectedArgument> arguments;  // as captured
  // Threads may add floats in whatever order they come: those need not repeat bit for bit.
  bool has_atomics = false;
  bool is_replaced = false;
};

struct KernelRequests {
  const trace::Document& document;
  const TraceTables& tables;
  const ReplayPlan& plan;
  const std::vector<Replacement>& replacements;
  // Called before each with how many are ready.
  std::function<void(size_t)> on_progress = {};
};

struct KernelSet {
  std::unordered_map<Id, BuiltKernel> kernels;
  std::vector<std::string> notes;
};

// Builds what the plan needs. The error names the kernel.
Result<KernelSet> build_kernels(const KernelRequests& requests, pipeline::PipelineCache& pipelines);

}  // namespace assay::replay
