// Fusion: an element-wise operation takes in those that feed it, as long as nobody outside the
// group needs their values before the group is done.
#include <algorithm>
#include <unordered_map>

#include "ops/elementwise.h"
#include "transforms/traced_graph.h"

namespace assay {
namespace {

// A kernel has 31 buffers; three of them may describe the layout.
constexpr size_t kMaxBuffers = 24;
constexpr size_t kMaxSteps = 96;

const Elementwise* elementwise_of(const TracedOperation& operation) {
  return dynamic_cast<const Elementwise*>(operation.primitive.get());
}

class Fusion {
 public:
  explicit Fusion(TracedGraph& graph) : graph_(graph), makers_(graph.value_count, kNobody) {
    const size_t count = graph.operations.size();
    users_.resize(graph.value_count);
    for (size_t i = 0; i < count; ++i) {
      for (const uint32_t output : graph.operations[i].outputs) makers_[output] = i;
      for (const uint32_t input : graph.operations[i].inputs) users_[input].push_back(i);
    }
    is_result_.resize(graph.value_count, false);
    for (const uint32_t output : graph.outputs) is_result_[output] = true;
    is_taken_.resize(count, false);
  }

  void run() {
    std::vector<TracedOperation> fused;
    for (size_t i = graph_.operations.size(); i-- > 0;) {
      if (is_taken_[i]) continue;
      const std::vector<size_t> group = grow(i);
      fused.push_back(group.size() == 1 ? graph_.operations[i] : merge(group));
    }
    std::reverse(fused.begin(), fused.end());
    graph_.operations = std::move(fused);
  }

 private:
  static constexpr size_t kNobody = ~size_t{0};

  // Operations of the group that ends with `root`, in their order.
  std::vector<size_t> grow(size_t root) {
    is_taken_[root] = true;
    std::vector<size_t> group{root};
    if (!elementwise_of(graph_.operations[root])) return group;
    size_t steps = elementwise_of(graph_.operations[root])->tape().steps.size();
    bool is_growing = true;
    while (is_growing) {
      is_growing = false;
      for (size_t member = 0; member < group.size(); ++member) {
        for (const uint32_t input : graph_.operations[group[member]].inputs) {
          const size_t maker = makers_[input];
          if (maker == kNobody || is_taken_[maker] || !fits(maker, root, group, steps)) continue;
          is_taken_[maker] = true;
          group.push_back(maker);
          steps += elementwise_of(graph_.operations[maker])->tape().steps.size();
          is_growing = true;
        }
      }
    }
    std::sort(group.begin(), group.end());
    return group;
  }

  bool fits(size_t maker, size_t root, const std::vector<size_t>& group, size_t steps) const {
    const TracedOperation& operation = graph_.operations[maker];
    const TracedOperation& last = graph_.operations[root];
    const Elementwise* element = elementwise_of(operation);
    if (!element || operation.outputs.size() != 1) return false;
    if (operation.shapes[0] != last.shapes[0] || operation.stream != last.stream) return false;
    if (steps + element->tape().steps.size() > kMaxSteps) return false;
    const std::vector<size_t>& users = users_[operation.outputs[0]];
    const bool is_private = std::all_of(users.begin(), users.end(), [&](size_t user) {
      return std::find(group.begin(), group.end(), user) != group.end();
    });
    if (!is_private) return false;
    std::vector<size_t> larger = group;
    larger.push_back(maker);
    return count_buffers(larger) <= kMaxBuffers;
  }

  size_t count_buffers(const std::vector<size_t>& group) const {
    std::vector<uint32_t> inputs, made;
    size_t results = 1;
    for (const size_t member : group) {
      const TracedOperation& operation = graph_.operations[member];
      inputs.insert(inputs.end(), operation.inputs.begin(), operation.inputs.end());
      made.push_back(operation.outputs[0]);
      results += is_result_[operation.outputs[0]] ? 1 : 0;
    }
    std::sort(inputs.begin(), inputs.end());
    inputs.erase(std::unique(inputs.begin(), inputs.end()), inputs.end());
    const size_t inner =
        static_cast<size_t>(std::count_if(inputs.begin(), inputs.end(), [&](uint32_t input) {
          return std::find(made.begin(), made.end(), input) != made.end();
        }));
    return inputs.size() - inner + results;
  }

  TracedOperation merge(const std::vector<size_t>& group) const {
    const TracedOperation& last = graph_.operations[group.back()];
    TracedOperation merged{.primitive = nullptr,
                           .inputs = {},
                           .outputs = {},
                           .shapes = {},
                           .dtypes = {},
                           .stream = last.stream,
                           .site = last.site};
    std::unordered_map<uint32_t, size_t> made;  // value → member of the group
    for (size_t i = 0; i < group.size(); ++i) made[graph_.operations[group[i]].outputs[0]] = i;
    ElementTape tape;
    for (const size_t member : group) {
      const TracedOperation& operation = graph_.operations[member];
      const ElementTape& own = elementwise_of(operation)->tape();
      for (size_t i = 0; i < operation.inputs.size(); ++i) {
        const uint32_t value = operation.inputs[i];
        const auto& known = merged.inputs;
        if (made.contains(value) || std::find(known.begin(), known.end(), value) != known.end()) {
          continue;
        }
        merged.inputs.push_back(value);
        tape.inputs.push_back(own.inputs[i]);
      }
    }
    append_steps(group, merged, tape);
    merged.primitive = std::make_shared<Elementwise>(std::move(tape));
    return merged;
  }

  void append_steps(const std::vector<size_t>& group, TracedOperation& merged,
                    ElementTape& tape) const {
    std::unordered_map<uint32_t, uint32_t> places;  // value of the graph → value of the tape
    for (uint32_t i = 0; i < merged.inputs.size(); ++i) places[merged.inputs[i]] = i;
    for (const size_t member : group) {
      const TracedOperation& operation = graph_.operations[member];
      const ElementTape& own = elementwise_of(operation)->tape();
      std::vector<uint32_t> own_places;
      for (const uint32_t input : operation.inputs) own_places.push_back(places.at(input));
      for (TapeStep step : own.steps) {
        for (uint32_t& argument : step.arguments) argument = own_places[argument];
        own_places.push_back(static_cast<uint32_t>(tape.inputs.size() + tape.steps.size()));
        tape.steps.push_back(std::move(step));
      }
      const uint32_t value = operation.outputs[0];
      places[value] = own_places[own.outputs[0]];
      if (member != group.back() && !is_result_[value]) continue;
      tape.outputs.push_back(places[value]);
      merged.outputs.push_back(value);
      merged.shapes.push_back(operation.shapes[0]);
      merged.dtypes.push_back(operation.dtypes[0]);
    }
  }

  TracedGraph& graph_;
  std::vector<size_t> makers_;              // per value
  std::vector<std::vector<size_t>> users_;  // per value
  std::vector<bool> is_result_;             // per value
  std::vector<bool> is_taken_;              // per operation
};

}  // namespace

void fuse_graph(TracedGraph& graph) { Fusion(graph).run(); }

}  // namespace assay
