// Common operations once, and nothing that no output needs.
#include <algorithm>
#include <map>

#include "transforms/traced_graph.h"

namespace assay {
namespace {

bool is_same_work(const TracedOperation& a, const TracedOperation& b) {
  return a.inputs == b.inputs && a.stream == b.stream && a.shapes == b.shapes &&
         a.dtypes == b.dtypes && a.outputs.size() == b.outputs.size() &&
         a.primitive->is_same(*b.primitive);
}

}  // namespace

void simplify_graph(TracedGraph& graph) {
  std::vector<uint32_t> renamed(graph.value_count);
  for (uint32_t i = 0; i < graph.value_count; ++i) renamed[i] = i;
  // Candidates have equal inputs.
  std::map<std::vector<uint32_t>, std::vector<size_t>> by_inputs;
  std::vector<TracedOperation> kept;
  for (TracedOperation& operation : graph.operations) {
    for (uint32_t& input : operation.inputs) input = renamed[input];
    std::vector<size_t>& others = by_inputs[operation.inputs];
    const auto same = std::find_if(others.begin(), others.end(), [&](size_t other) {
      return is_same_work(kept[other], operation);
    });
    if (same != others.end() && !operation.inputs.empty()) {
      for (size_t i = 0; i < operation.outputs.size(); ++i) {
        renamed[operation.outputs[i]] = kept[*same].outputs[i];
      }
      continue;
    }
    others.push_back(kept.size());
    kept.push_back(std::move(operation));
  }
  for (uint32_t& output : graph.outputs) output = renamed[output];
  std::vector<bool> is_needed(graph.value_count, false);
  for (const uint32_t output : graph.outputs) is_needed[output] = true;
  graph.operations.clear();
  for (size_t i = kept.size(); i-- > 0;) {
    const bool is_used = std::any_of(kept[i].outputs.begin(), kept[i].outputs.end(),
                                     [&](uint32_t output) { return is_needed[output]; });
    if (!is_used) continue;
    for (const uint32_t input : kept[i].inputs) is_needed[input] = true;
    graph.operations.push_back(std::move(kept[i]));
  }
  std::reverse(graph.operations.begin(), graph.operations.end());
}

}  // namespace assay
