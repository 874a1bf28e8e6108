// A node of the lazy graph: one array, before and after it has values.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "array/array_names.h"
#include "array/call_site.h"
#include "array/operation_log.h"
#include "assay/array.h"
#include "base/recycled.h"
#include "device/buffer.h"
#include "device/event.h"
#include "device/submission.h"

namespace assay {

class Primitive;

// Values in memory. Shared by the arrays that are views of one another.
struct Storage {
  std::shared_ptr<device::Buffer> buffer;
  // The only stream that has work on it, or kManyStreams. Another stream may still be reading what
  // this one would overwrite, so memory of many streams is never used again in place.
  static constexpr int kNoStream = -1, kManyStreams = -2;
  int stream = kNoStream;
  // The last command that writes it and the evaluation that encoded it, for timelines; 0 where
  // nobody listened.
  kernel::CommandPlace writer = {};
  uint64_t writer_evaluation = 0;
  // Of the array whose values it holds, for views of it; null for none. Under the evaluation lock.
  ArrayName name = {};
};

// When values are there: the submission that writes them, known once its commands are submitted.
// Threads that share an array may wait for it before that.
class Completion {
 public:
  // Waits until the values are there, or known not to be. Not for a thread that has yet to submit.
  void wait();
  bool is_done();
  // Once it is done: why memory that this submission writes has no values, if so.
  std::optional<std::string> find_failure(const Storage& storage);
  void submitted(std::shared_ptr<device::Submission> submission);
  // Values that the commands read may still be on their way.
  void depends_on(const std::shared_ptr<Completion>& other);
  // The event that the stream's queue raises to `value` afterwards.
  std::shared_ptr<device::Event> event;
  uint64_t value = 0;
  int stream = Storage::kNoStream;
  OperationLog log;  // written until the commands are submitted

 private:
  void settle(const Failures& known);  // once the commands are submitted
  bool add_failures_to(Failures& known);
  std::vector<std::shared_ptr<Completion>> take_dependencies();
  std::vector<std::shared_ptr<Completion>> final_dependencies();
  void drop_finished();

  std::mutex mutex_;
  std::condition_variable is_submitted_;
  std::shared_ptr<device::Submission> submission_;
  std::vector<std::shared_ptr<Completion>> dependencies_;
  bool is_settled_ = false;
  Failures failures_;
};

// Outputs of an operation that makes not just one. Some may have no owner any more when it runs.
struct SeveralOutputs {
  std::vector<std::weak_ptr<Node>> nodes;
  std::vector<Shape> shapes;
  std::vector<Dtype> dtypes;
};

// One application of a primitive; owned by the nodes it makes.
struct Operation {
  std::shared_ptr<const Primitive> primitive;
  std::vector<array> inputs;
  Stream stream;
  CallSitePtr site = nullptr;
  std::weak_ptr<Node> output;  // null where there are several
  std::unique_ptr<const SeveralOutputs> several = nullptr;
  bool is_visited = false;  // while a graph is ordered, under the evaluation lock
};

enum class NodeStatus : uint8_t {
  kLazy,       // has an operation
  kScheduled,  // has memory, and a completion to wait for
  kReady,      // values may be read
};

struct Node {
  Node(Shape shape, Dtype dtype);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  const Shape shape;
  const Dtype dtype;
  const size_t size;  // elements

  void set_operation(std::shared_ptr<Operation> made_by);

  // Written under the evaluation lock, before the status is; read after it.
  std::atomic<NodeStatus> status = NodeStatus::kLazy;
  std::shared_ptr<Operation> operation;
  std::shared_ptr<Storage> storage;
  Strides strides;
  int64_t offset = 0;  // bytes into the storage
  std::shared_ptr<Completion> completion;

  // As they were when the node was made.
  bool has_operation = false;
  bool is_tracer = false;
  // Has a name of the user; see array_names.h.
  std::atomic<bool> is_named = false;
};

// Strides of rows that follow one another without a gap.
Strides row_contiguous_strides(const Shape& shape);
bool is_row_contiguous(const Node& node);
size_t count_elements(const Shape& shape);

// While one exists, arrays that depend on a trace's inputs count as tracers on this thread.
class TracingScope {
 public:
  explicit TracingScope(bool is_shapeless);
  ~TracingScope();
  TracingScope(const TracingScope&) = delete;
  TracingScope& operator=(const TracingScope&) = delete;

 private:
  const bool outer_is_shapeless_;
};
bool is_tracing();
// The trace will serve other shapes too: what depends on a shape must not become a constant.
bool is_tracing_shapeless();

// The output of one operation. Tracers among the inputs make a tracer.
array make_array(Shape shape, Dtype dtype, std::shared_ptr<const Primitive> primitive,
                 std::vector<array> inputs, const StreamOrDevice& where);
std::vector<array> make_arrays(std::vector<Shape> shapes, std::vector<Dtype> dtypes,
                               std::shared_ptr<const Primitive> primitive,
                               std::vector<array> inputs, const StreamOrDevice& where);

}  // namespace assay
