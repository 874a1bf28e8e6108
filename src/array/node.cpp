// Nodes and completions; see node.h.
#include "array/node.h"

#include <stdexcept>

#include "array/primitive.h"
#include "fmt/format.h"

namespace assay {
namespace {

Shape checked(Shape shape) {
  for (const ShapeElem length : shape) {
    if (length < 0) {
      throw std::invalid_argument(
          fmt::format("[array] Negative dimension {} in a shape is not allowed.", length));
    }
  }
  return shape;
}

// Operations whose last owner went away on this thread, one behind the other: graphs may be deeper
// than the stack.
void release(std::shared_ptr<Operation> operation) {
  thread_local std::vector<std::shared_ptr<Operation>>* pending = nullptr;
  if (pending) {
    pending->push_back(std::move(operation));
    return;
  }
  std::vector<std::shared_ptr<Operation>> queue;
  pending = &queue;
  queue.push_back(std::move(operation));
  while (!queue.empty()) {
    const std::shared_ptr<Operation> next = std::move(queue.back());
    queue.pop_back();
    // Destroyed here; the nodes it held add their operations to the queue.
  }
  pending = nullptr;
}

thread_local int tracing_depth = 0;
thread_local bool trace_is_shapeless = false;

}  // namespace

TracingScope::TracingScope(bool is_shapeless) : outer_is_shapeless_(trace_is_shapeless) {
  ++tracing_depth;
  trace_is_shapeless |= is_shapeless;
}
TracingScope::~TracingScope() {
  --tracing_depth;
  trace_is_shapeless = outer_is_shapeless_;
}
bool is_tracing() { return tracing_depth > 0; }
bool is_tracing_shapeless() { return trace_is_shapeless; }

size_t count_elements(const Shape& shape) {
  size_t count = 1;
  for (const ShapeElem length : shape) count *= static_cast<size_t>(length);
  return count;
}

Strides row_contiguous_strides(const Shape& shape) {
  Strides strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

bool is_row_contiguous(const Node& node) {
  int64_t stride = 1;
  for (size_t i = node.shape.size(); i-- > 0;) {
    if (node.shape[i] != 1 && node.strides[i] != stride) return node.size == 0;
    stride *= node.shape[i];
  }
  return true;
}

Node::Node(Shape shape, Dtype dtype)
    : shape(checked(std::move(shape))), dtype(dtype), size(count_elements(this->shape)) {}

Node::~Node() {
  if (operation && operation.use_count() == 1) release(std::move(operation));
}

void Node::set_operation(std::shared_ptr<Operation> made_by) {
  operation = std::move(made_by);
  has_operation = true;
}

void Completion::submitted(std::shared_ptr<device::Submission> submission) {
  {
    const std::lock_guard lock(mutex_);
    submission_ = std::move(submission);
  }
  is_submitted_.notify_all();
}

bool Completion::is_done() {
  const std::lock_guard lock(mutex_);
  return submission_ && submission_->done();
}

void Completion::wait() {
  std::shared_ptr<device::Submission> submission;
  {
    std::unique_lock lock(mutex_);
    is_submitted_.wait(lock, [&] { return submission_ != nullptr; });
    submission = submission_;
  }
  if (const Result<void> result = submission->wait(); !result) {
    throw std::runtime_error(result.error().message);
  }
}

array make_array(Shape shape, Dtype dtype, std::shared_ptr<const Primitive> primitive,
                 std::vector<array> inputs, const StreamOrDevice& where) {
  auto node = std::make_shared<Node>(std::move(shape), dtype);
  for (const array& input : inputs) node->is_tracer |= input.node().is_tracer;
  node->set_operation(std::make_shared<Operation>(Operation{.primitive = std::move(primitive),
                                                            .inputs = std::move(inputs),
                                                            .stream = to_stream(where),
                                                            .site = find_call_site(where.site()),
                                                            .outputs = {node},
                                                            .shapes = {},
                                                            .dtypes = {},
                                                            .is_visited = false}));
  return array(std::move(node));
}

std::vector<array> make_arrays(std::vector<Shape> shapes, std::vector<Dtype> dtypes,
                               std::shared_ptr<const Primitive> primitive,
                               std::vector<array> inputs, const StreamOrDevice& where) {
  bool is_tracer = false;
  for (const array& input : inputs) is_tracer |= input.node().is_tracer;
  auto operation = std::make_shared<Operation>(Operation{.primitive = std::move(primitive),
                                                         .inputs = std::move(inputs),
                                                         .stream = to_stream(where),
                                                         .site = find_call_site(where.site()),
                                                         .outputs = {},
                                                         .shapes = std::move(shapes),
                                                         .dtypes = std::move(dtypes),
                                                         .is_visited = false});
  std::vector<array> results;
  for (size_t i = 0; i < operation->shapes.size(); ++i) {
    auto node = std::make_shared<Node>(operation->shapes[i], operation->dtypes[i]);
    node->set_operation(operation);
    node->is_tracer = is_tracer;
    operation->outputs.push_back(node);
    results.emplace_back(std::move(node));
  }
  return results;
}

}  // namespace assay
