// Fusion at the edges of reductions; see traced_graph.h.
#include <algorithm>

#include "ops/elementwise.h"
#include "ops/reduce.h"
#include "transforms/traced_graph.h"

namespace assay {
namespace {

class ReductionFusion {
 public:
  explicit ReductionFusion(TracedGraph& graph)
      : graph_(graph), makers_(graph.value_count, nullptr), uses_(graph.value_count, 0) {
    for (TracedOperation& operation : graph.operations) {
      for (const uint32_t output : operation.outputs) makers_[output] = &operation;
      for (const uint32_t input : operation.inputs) ++uses_[input];
    }
    // The caller holds results: nobody may take them in.
    for (const uint32_t output : graph.outputs) ++uses_[output];
  }

  void run() {
    for (TracedOperation& operation : graph_.operations) take_in_elements(operation);
    for (TracedOperation& operation : graph_.operations) join_reduction(operation);
    std::erase_if(graph_.operations,
                  [](const TracedOperation& operation) { return operation.primitive == nullptr; });
  }

 private:
  // The operation that makes a value for one user alone.
  TracedOperation* private_maker(uint32_t value, const Stream& stream) const {
    TracedOperation* maker = makers_[value];
    if (!maker || uses_[value] != 1 || maker->outputs.size() != 1) return nullptr;
    return maker->stream == stream ? maker : nullptr;
  }

  void take_in_elements(TracedOperation& operation) {
    const auto* reduce = dynamic_cast<const Reduce*>(operation.primitive.get());
    if (!reduce) return;
    TracedOperation* maker = private_maker(operation.inputs[0], operation.stream);
    if (!maker) return;
    const auto* elements = dynamic_cast<const Elementwise*>(maker->primitive.get());
    if (!elements) return;
    operation.primitive = std::make_shared<Reduce>(*reduce, ReduceTapes{elements->tape(), {}});
    operation.inputs = std::move(maker->inputs);
    maker->primitive = nullptr;
  }

  // An element-wise operation on a reduction's result and single values becomes the reduction's
  // last steps; the reduction moves to its place.
  void join_reduction(TracedOperation& operation) {
    const auto* elements = dynamic_cast<const Elementwise*>(operation.primitive.get());
    if (!elements || operation.outputs.size() != 1) return;
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      TracedOperation* maker = private_maker(operation.inputs[i], operation.stream);
      if (!maker || maker->shapes != operation.shapes) continue;
      const auto* reduce = dynamic_cast<const Reduce*>(maker->primitive.get());
      if (!reduce || !reduce->tapes().after.inputs.empty()) continue;
      if (!others_are_single(operation, i)) continue;
      merge(operation, *elements, *maker, *reduce, i);
      return;
    }
  }

  bool others_are_single(const TracedOperation& operation, size_t result) const {
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      if (i != result && !is_single(operation.inputs[i])) return false;
    }
    return true;
  }

  // Without axes, whatever the shapes of the function's inputs are.
  bool is_single(uint32_t value) const {
    if (makers_[value]) {
      const std::vector<uint32_t>& outputs = makers_[value]->outputs;
      const auto at = std::find(outputs.begin(), outputs.end(), value) - outputs.begin();
      return makers_[value]->shapes[static_cast<size_t>(at)].empty();
    }
    if (value < graph_.inputs.size()) return graph_.inputs[value].shape.empty();
    return graph_.constants[value - graph_.inputs.size()].ndim() == 0;
  }

  Dtype type_of(uint32_t value) const {
    if (value < graph_.inputs.size()) return graph_.inputs[value].dtype;
    if (!makers_[value]) return graph_.constants[value - graph_.inputs.size()].dtype();
    const std::vector<uint32_t>& outputs = makers_[value]->outputs;
    const auto at = std::find(outputs.begin(), outputs.end(), value) - outputs.begin();
    return makers_[value]->dtypes[static_cast<size_t>(at)];
  }

  void merge(TracedOperation& operation, const Elementwise& elements, TracedOperation& maker,
             const Reduce& reduce, size_t result) const {
    ReduceTapes tapes{reduce.tapes().before, elements.tape()};
    if (tapes.before.inputs.empty()) tapes.before = {{{type_of(maker.inputs[0])}}, {}, {0}};
    // The reduction's result becomes the first input.
    const auto moved = static_cast<uint32_t>(result);
    auto renumber = [moved](uint32_t& value) {
      if (value == moved) {
        value = 0;
      } else if (value < moved) {
        ++value;
      }
    };
    for (TapeStep& step : tapes.after.steps) {
      std::for_each(step.arguments.begin(), step.arguments.end(), renumber);
    }
    std::for_each(tapes.after.outputs.begin(), tapes.after.outputs.end(), renumber);
    const auto first = tapes.after.inputs.begin();
    std::rotate(first, first + moved, first + moved + 1);
    std::vector<uint32_t> inputs = std::move(maker.inputs);
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
      if (i != result) inputs.push_back(operation.inputs[i]);
    }
    operation.primitive = std::make_shared<Reduce>(reduce, std::move(tapes));
    operation.inputs = std::move(inputs);
    maker.primitive = nullptr;
  }

  TracedGraph& graph_;
  std::vector<TracedOperation*> makers_;  // per value
  std::vector<size_t> uses_;              // per value, results of the function included
};

}  // namespace

void fuse_reductions(TracedGraph& graph) { ReductionFusion(graph).run(); }

}  // namespace assay
