// Nodes and completions; see node.h.
#include "array/node.h"

#include <stdexcept>

#include "array/graph_building.h"
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

// As in MLX, only the CPU device computes in double.
void require_device(Dtype dtype, const Primitive& primitive, const Stream& stream) {
  if (dtype != float64 || stream.device != Device::gpu) return;
  throw std::invalid_argument(fmt::format(
      "[{}] float64 is not supported on the GPU. Give the op stream=cpu or make the CPU "
      "the default device, or use float32.",
      primitive.name()));
}

// Whether the result of an operation on `inputs` is a tracer.
bool check_inputs(const std::vector<array>& inputs, const Primitive& primitive,
                  const Stream& stream) {
  bool is_tracer = false;
  for (const array& input : inputs) {
    is_tracer |= input.node().is_tracer;
    require_device(input.dtype(), primitive, stream);
  }
  return is_tracer;
}

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
  if (is_named.load(std::memory_order_relaxed)) forget_name(*this);
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

void Completion::depends_on(const std::shared_ptr<Completion>& other) {
  if (!dependencies_.empty() && dependencies_.back() == other) return;
  other->drop_finished();
  const std::lock_guard lock(mutex_);
  dependencies_.push_back(other);
}

// Keeps chains as short as the work in flight when nobody ever waits.
void Completion::drop_finished() {
  for (const std::shared_ptr<Completion>& each : take_dependencies()) {
    if (!each->is_done()) continue;
    each->wait();
    const std::lock_guard lock(each->mutex_);
    if (!each->failures_.empty()) continue;
    const std::lock_guard own(mutex_);
    std::erase(dependencies_, each);
  }
}

std::vector<std::shared_ptr<Completion>> Completion::take_dependencies() {
  const std::lock_guard lock(mutex_);
  return is_settled_ ? std::vector<std::shared_ptr<Completion>>() : dependencies_;
}

// Complete once the commands are submitted; until then there may be more and more.
std::vector<std::shared_ptr<Completion>> Completion::final_dependencies() {
  {
    std::unique_lock lock(mutex_);
    is_submitted_.wait(lock, [&] { return submission_ != nullptr; });
  }
  return take_dependencies();
}

// Those it depends on come first; a loop, since chains of submissions may be deeper than the stack.
void Completion::wait() {
  struct Visit {
    Completion* completion;
    std::vector<std::shared_ptr<Completion>> dependencies;
    Failures known = {};
  };
  std::vector<Visit> stack{{this, final_dependencies()}};
  while (!stack.empty()) {
    Visit& visit = stack.back();
    if (visit.dependencies.empty()) {
      visit.completion->settle(visit.known);
      stack.pop_back();
    } else if (visit.dependencies.back()->add_failures_to(visit.known)) {
      visit.dependencies.pop_back();
    } else {
      Completion& other = *visit.dependencies.back();
      stack.push_back({&other, other.final_dependencies()});
    }
  }
}

// False where they are not known yet.
bool Completion::add_failures_to(Failures& known) {
  const std::lock_guard lock(mutex_);
  if (is_settled_) known.insert(failures_.begin(), failures_.end());
  return is_settled_;
}

void Completion::settle(const Failures& known) {
  std::shared_ptr<device::Submission> submission;
  {
    const std::lock_guard lock(mutex_);
    if (is_settled_) return;
    submission = submission_;
  }
  const Result<void> result = submission->wait();
  const std::lock_guard lock(mutex_);
  if (is_settled_) return;
  std::vector<OperationLog::FailedDispatch> failed;
  const std::span<const device::DispatchResult> dispatches = submission->dispatches();
  for (uint32_t i = 0; i < dispatches.size(); ++i) {
    if (dispatches[i].status == device::Status::kFailed) failed.push_back({i, dispatches[i].error});
  }
  if (!result && failed.empty()) {
    failures_ = log.fail_all(result.error().message);
  } else if (!failed.empty() || !known.empty()) {
    failures_ = log.find_failures(failed, known);
  }
  log.clear();
  dependencies_.clear();
  is_settled_ = true;
}

std::optional<std::string> Completion::find_failure(const Storage& storage) {
  wait();
  const std::lock_guard lock(mutex_);
  const auto found = failures_.find(&storage);
  return found == failures_.end() ? std::nullopt : std::optional(found->second);
}

array make_array(Shape shape, Dtype dtype, std::shared_ptr<const Primitive> primitive,
                 std::vector<array> inputs, const StreamOrDevice& where) {
  note_graph_building();
  const Stream stream = to_stream(where);
  require_device(dtype, *primitive, stream);
  auto node = base::make_recycled<Node>(std::move(shape), dtype);
  node->is_tracer = check_inputs(inputs, *primitive, stream);
  node->set_operation(base::make_recycled<Operation>(Operation{.primitive = std::move(primitive),
                                                               .inputs = std::move(inputs),
                                                               .stream = stream,
                                                               .site = find_call_site(where.site()),
                                                               .output = node}));
  return array(std::move(node));
}

std::vector<array> make_arrays(std::vector<Shape> shapes, std::vector<Dtype> dtypes,
                               std::shared_ptr<const Primitive> primitive,
                               std::vector<array> inputs, const StreamOrDevice& where) {
  note_graph_building();
  const Stream stream = to_stream(where);
  for (const Dtype dtype : dtypes) require_device(dtype, *primitive, stream);
  const bool is_tracer = check_inputs(inputs, *primitive, stream);
  auto operation = base::make_recycled<Operation>(Operation{.primitive = std::move(primitive),
                                                            .inputs = std::move(inputs),
                                                            .stream = stream,
                                                            .site = find_call_site(where.site()),
                                                            .output = {}});
  SeveralOutputs several{{}, std::move(shapes), std::move(dtypes)};
  std::vector<array> results;
  for (size_t i = 0; i < several.shapes.size(); ++i) {
    auto node = base::make_recycled<Node>(several.shapes[i], several.dtypes[i]);
    node->set_operation(operation);
    node->is_tracer = is_tracer;
    several.nodes.push_back(node);
    results.emplace_back(std::move(node));
  }
  operation->several = std::make_unique<const SeveralOutputs>(std::move(several));
  return results;
}

}  // namespace assay
