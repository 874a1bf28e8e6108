// See traced_graph.h.
#include "transforms/traced_graph.h"

#include <stdexcept>
#include <unordered_map>
#include <unordered_set>

#include "array/evaluation_lock.h"
#include "fmt/format.h"
#include "ops/elementwise.h"

namespace assay {
namespace {

class Recorder {
 public:
  Recorder(const std::vector<array>& inputs, TracedGraph& graph) : graph_(graph) {
    for (const array& input : inputs) {
      numbers_[input.id()] = graph_.value_count++;
      graph_.inputs.push_back({input.shape(), input.dtype()});
    }
  }

  void record(const std::vector<array>& outputs) {
    std::vector<std::shared_ptr<Operation>> order;
    for (const array& output : outputs) collect(output, order);
    for (const std::shared_ptr<Operation>& operation : order) add_constants(operation->inputs);
    add_constants(outputs);
    for (const std::shared_ptr<Operation>& operation : order) add(*operation);
    for (const array& output : outputs) graph_.outputs.push_back(numbers_.at(output.id()));
  }

 private:
  // A value that the trace's inputs have no part in.
  bool is_constant(const array& value) const {
    return !value.is_tracer() && !numbers_.contains(value.id());
  }

  // Without recursion: functions may build graphs deeper than the stack.
  void collect(const array& output, std::vector<std::shared_ptr<Operation>>& order) {
    struct Visit {
      std::shared_ptr<Operation> operation;
      size_t next = 0;
    };
    std::vector<Visit> stack;
    auto enter = [&](const array& value) {
      if (numbers_.contains(value.id()) || is_constant(value)) return;
      const std::shared_ptr<Operation>& operation = value.node().operation;
      if (!operation) {
        throw std::invalid_argument(
            "[compile] The function returned or used an array of another trace; pass arrays in as "
            "arguments and out as results.");
      }
      if (seen_.insert(operation.get()).second) stack.push_back({operation});
    };
    enter(output);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next < visit.operation->inputs.size()) {
        enter(visit.operation->inputs[visit.next++]);
        continue;
      }
      order.push_back(std::move(visit.operation));
      stack.pop_back();
    }
  }

  void add_constants(const std::vector<array>& values) {
    for (const array& value : values) {
      if (!is_constant(value)) continue;
      numbers_[value.id()] = graph_.value_count++;
      graph_.constants.push_back(value);
    }
  }

  void add(const Operation& operation) {
    TracedOperation traced{.primitive = operation.primitive,
                           .inputs = {},
                           .outputs = {},
                           .shapes = {},
                           .dtypes = {},
                           .stream = operation.stream,
                           .site = operation.site};
    for (const array& input : operation.inputs) traced.inputs.push_back(numbers_.at(input.id()));
    const auto add_output = [&](const std::shared_ptr<Node>& node) {
      if (node) numbers_[reinterpret_cast<std::uintptr_t>(node.get())] = graph_.value_count;
      traced.outputs.push_back(graph_.value_count++);
    };
    if (operation.several) {
      traced.shapes = operation.several->shapes;
      traced.dtypes = operation.several->dtypes;
      for (const std::weak_ptr<Node>& output : operation.several->nodes) add_output(output.lock());
    } else if (const std::shared_ptr<Node> node = operation.output.lock()) {
      traced.shapes = {node->shape};
      traced.dtypes = {node->dtype};
      add_output(node);
    }
    graph_.operations.push_back(std::move(traced));
  }

  TracedGraph& graph_;
  std::unordered_map<std::uintptr_t, uint32_t> numbers_;
  std::unordered_set<const Operation*> seen_;
};

// Follows constants that have no values yet to what they will be made of.
void check_captures(const std::vector<array>& constants, const std::vector<array>& arguments) {
  std::unordered_map<const Node*, size_t> positions;
  for (size_t i = 0; i < arguments.size(); ++i) positions.emplace(&arguments[i].node(), i);
  std::unordered_set<const Operation*> seen;
  std::vector<const Node*> left;
  for (const array& constant : constants) left.push_back(&constant.node());
  const std::lock_guard lock(evaluation_mutex());
  while (!left.empty()) {
    const Node& node = *left.back();
    left.pop_back();
    if (const auto found = positions.find(&node); found != positions.end()) {
      throw std::invalid_argument(fmt::format(
          "[compile] Attempting to compile a function with uncaptured inputs is not allowed: "
          "argument {} (counting arrays, from 0) is also used from outside of the function, as an "
          "array of its own or in one that has no values yet. Use the argument alone, list the "
          "other array in inputs, or evaluate it before.",
          found->second));
    }
    const Operation* operation = node.operation.get();
    if (operation == nullptr || !seen.insert(operation).second) continue;
    for (const array& input : operation->inputs) left.push_back(&input.node());
  }
}

std::vector<Shape> infer_shapes(const TracedOperation& operation,
                                const std::vector<array>& inputs) {
  std::optional<std::vector<Shape>> shapes = operation.primitive->infer_shapes(inputs);
  if (shapes) return std::move(*shapes);
  std::string given;
  for (const array& input : inputs) {
    given += (given.empty() ? "" : ", ") + describe_shape(input.shape());
  }
  throw std::invalid_argument(fmt::format(
      "[compile] {} was traced for other shapes and cannot follow to inputs of the shapes {}.\n"
      "  fix: give shapes that fit each other, or compile without shapeless=true",
      operation.primitive->name(), given));
}

}  // namespace

TracedGraph record_graph(const std::vector<array>& inputs, const std::vector<array>& outputs,
                         const std::vector<array>& arguments) {
  TracedGraph graph;
  Recorder(inputs, graph).record(outputs);
  check_captures(graph.constants, arguments);
  return graph;
}

std::vector<array> replay_graph(const TracedGraph& graph, const std::vector<array>& inputs,
                                bool is_shapeless) {
  std::vector<std::shared_ptr<Node>> values(graph.value_count);
  uint32_t next = 0;
  for (const array& input : inputs) values[next++] = input.node_ptr();
  for (const array& constant : graph.constants) values[next++] = constant.node_ptr();
  for (const TracedOperation& traced : graph.operations) {
    auto operation = base::make_recycled<Operation>(Operation{.primitive = traced.primitive,
                                                              .inputs = {},
                                                              .stream = traced.stream,
                                                              .site = traced.site,
                                                              .output = {}});
    bool is_tracer = false;
    operation->inputs.reserve(traced.inputs.size());
    for (const uint32_t input : traced.inputs) {
      operation->inputs.emplace_back(values[input]);
      is_tracer |= values[input]->is_tracer;
    }
    SeveralOutputs made{
        {}, is_shapeless ? infer_shapes(traced, operation->inputs) : traced.shapes, traced.dtypes};
    for (size_t i = 0; i < traced.outputs.size(); ++i) {
      auto node = base::make_recycled<Node>(made.shapes[i], made.dtypes[i]);
      node->set_operation(operation);
      node->is_tracer = is_tracer;
      made.nodes.emplace_back(node);
      values[traced.outputs[i]] = std::move(node);
    }
    if (made.nodes.size() == 1) {
      operation->output = made.nodes[0];
    } else {
      operation->several = std::make_unique<const SeveralOutputs>(std::move(made));
    }
  }
  std::vector<array> outputs;
  for (const uint32_t output : graph.outputs) outputs.emplace_back(values[output]);
  return outputs;
}

}  // namespace assay
