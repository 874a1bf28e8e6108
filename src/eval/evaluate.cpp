// See evaluate.h.
#include "eval/evaluate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "array/graph_building.h"
#include "array/primitive.h"
#include "assay/transforms.h"
#include "base/kept_memory.h"
#include "device/host_span.h"
#include "eval/evaluation_listener.h"
#include "eval/stream_encoder.h"
#include "fmt/format.h"
#include "ops/elementwise.h"

namespace assay {
namespace {

// Commands are submitted while the rest of a large graph is still being encoded: the first ones
// soon, the others in larger numbers, since the queue's thread sleeps in between and waking it is
// dear.
constexpr size_t kFirstCommands = 128;
constexpr size_t kMaxCommands = 512;
constexpr uint64_t kMaxBytes = 256 << 20;

bool is_lazy(const array& value) {
  return value.node().status.load(std::memory_order_relaxed) == NodeStatus::kLazy;
}

using OperationOrder = base::KeptVector<std::shared_ptr<Operation>>;

// Operations in an order that has every operation behind those it reads from.
OperationOrder order_graph(const std::vector<array>& outputs) {
  OperationOrder order;
  struct Visit {
    std::shared_ptr<Operation> operation;
    size_t next_input = 0;
  };
  base::KeptVector<Visit> stack;
  auto enter = [&](const array& value) {
    if (!is_lazy(value)) return;
    const std::shared_ptr<Operation>& operation = value.node().operation;
    if (!operation)
      throw std::invalid_argument("[eval] Attempting to eval an array without a primitive.");
    if (operation->is_visited) return;
    operation->is_visited = true;
    stack.push_back({operation});
  };
  for (const array& output : outputs) {
    enter(output);
    while (!stack.empty()) {
      Visit& visit = stack.back();
      if (visit.next_input < visit.operation->inputs.size()) {
        enter(visit.operation->inputs[visit.next_input++]);
        continue;
      }
      order.push_back(std::move(visit.operation));
      stack.pop_back();
    }
  }
  for (const std::shared_ptr<Operation>& operation : order) operation->is_visited = false;
  return order;
}

std::string add_evaluation_site(std::string text, const std::source_location& site) {
  if (const CallSitePtr evaluated = find_call_site(site)) {
    text += fmt::format("\n  evaluated at {}", describe(evaluated));
  }
  return text;
}

std::string describe_failure(const Operation& operation, const char* what,
                             const std::source_location& site) {
  return add_evaluation_site(fmt::format("{}\n  in {}", what, describe_operation(operation)), site);
}

// An input that has no values because its kernel failed earlier; the text says all about that.
class FailedInput : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The user's line, for host spans.
class SiteText {
 public:
  explicit SiteText(const std::source_location& site) : site_(&site) {}
  std::string operator()() const { return describe(find_call_site(*site_)); }

 private:
  const std::source_location* site_;
};
using Activity = kernel::HostActivity;
using WaitSpan = std::optional<device::HostSpan<SiteText>>;

class Evaluation {
 public:
  Evaluation(Engine& engine, size_t operations) : engine_(engine), operations_left_(operations) {
    expect_commands();
  }

  void encode(const std::shared_ptr<Operation>& operation) {
    StreamQueue& stream = use(operation->stream);
    for (const array& input : operation->inputs) wait_for(input, stream);
    const OutputList outputs(outputs_, *operation);
    StreamEncoder encoder(engine_, stream, *operation);
    operation->primitive->encode(operation->inputs, outputs_, encoder);
    const device::CommandBuffer& commands = engine_.commands(stream);
    note_inputs(*operation, *stream.completion);
    stream.completion->log.add(*operation, outputs_,
                               static_cast<uint32_t>(commands.dispatch_count()));
    for (array& output : outputs_) publish(output.node(), stream);
    --operations_left_;
    if (stream.commands->commands().size() >= command_limit_ || stream.bytes >= kMaxBytes) {
      engine_.submit(stream);
      command_limit_ = std::min(2 * command_limit_, kMaxCommands);
      expect_commands();
    }
  }

  // The last stream's work may run on this thread.
  void finish(bool is_waiting) {
    for (StreamQueue* stream : used_) {
      engine_.submit(*stream, is_waiting && used_.size() == 1);
    }
  }

 private:
  // The outputs of one operation, in a list whose memory serves all: an array that is kept longer
  // than its operation is encoded would not let go of its memory.
  class OutputList {
   public:
    OutputList(std::vector<array>& list, const Operation& operation) : list_(list) {
      if (!operation.several) {
        list_.emplace_back(operation.output.lock());
        return;
      }
      const SeveralOutputs& several = *operation.several;
      for (size_t i = 0; i < several.nodes.size(); ++i) {
        std::shared_ptr<Node> node = several.nodes[i].lock();
        if (!node) node = base::make_recycled<Node>(several.shapes[i], several.dtypes[i]);
        list_.emplace_back(std::move(node));
      }
    }
    ~OutputList() { list_.clear(); }
    OutputList(const OutputList&) = delete;
    OutputList& operator=(const OutputList&) = delete;

   private:
    std::vector<array>& list_;
  };

  void expect_commands() {
    engine_.expect_commands(std::min(operations_left_, command_limit_) + 1);
  }

  // Neighbours in a graph are mostly on one stream.
  StreamQueue& use(const Stream& stream) {
    if (last_ && last_->index == stream.index) return *last_;
    last_ = &engine_.stream(stream);
    if (std::find(used_.begin(), used_.end(), last_) == used_.end()) used_.push_back(last_);
    return *last_;
  }

  // What the inputs still wait for, our commands wait for too.
  static void note_inputs(const Operation& operation, Completion& own) {
    for (const array& input : operation.inputs) {
      const Node& node = input.node();
      if (node.status.load(std::memory_order_relaxed) != NodeStatus::kScheduled) continue;
      Completion& other = *node.completion;
      if (&other == &own || (other.is_done() && !other.find_failure(*node.storage))) continue;
      own.depends_on(node.completion);
    }
  }

  static void publish(Node& node, const StreamQueue& stream) {
    node.completion = stream.completion;
    if (node.is_named.load(std::memory_order_relaxed)) node.storage->name = find_name(node);
    const std::shared_ptr<Operation> done = std::move(node.operation);
    node.status.store(NodeStatus::kScheduled, std::memory_order_release);
  }

  // Work of another stream: its commands must be on their way before ours wait for them.
  void wait_for(const array& input, StreamQueue& stream) {
    Node& node = input.node();
    if (node.status.load(std::memory_order_relaxed) != NodeStatus::kScheduled) return;
    const std::shared_ptr<Completion>& completion = node.completion;
    if (completion == stream.completion) return;
    if (completion->is_done()) {
      if (const auto failure = completion->find_failure(*node.storage)) throw FailedInput(*failure);
      return;
    }
    if (completion->stream == stream.index) return;
    StreamQueue& other = engine_.stream(Stream(completion->stream, Device::gpu));
    if (other.completion == completion) engine_.submit(other);
    uint64_t& waited = waited_[{stream.index, completion->stream}];
    if (waited >= completion->value) return;
    waited = completion->value;
    if (const Result<void> added =
            engine_.commands(stream).wait(completion->event, completion->value);
        !added) {
      throw std::runtime_error(added.error().message);
    }
  }

  Engine& engine_;
  size_t operations_left_;
  size_t command_limit_ = kFirstCommands;
  std::vector<StreamQueue*> used_;
  StreamQueue* last_ = nullptr;
  std::vector<array> outputs_;  // of the operation that is being encoded
  std::map<std::pair<int, int>, uint64_t> waited_;
};

void require_values(const std::vector<array>& outputs) {
  for (const array& output : outputs) {
    if (output.is_tracer() && is_lazy(output)) {
      throw std::invalid_argument(
          "[eval] Attempting to eval an array during function transformations like compile or "
          "vmap is not allowed.");
    }
  }
}

void tell_graph_building(const std::source_location& site) {
  const uint64_t since_ns = take_graph_building_start();
  if (since_ns == 0) return;
  const std::string origin = SiteText(site)();
  device::current_device().tell({Activity::kBuild, since_ns, device::now_ns(), {}, origin});
}

// Large graphs do not fit the caches, and their nodes are met in an order that processors do not
// foresee.
void fetch_ahead(const OperationOrder& order, size_t position) {
  constexpr size_t kOperations = 4, kNodes = 2, kLineBytes = 64;
  const auto fetch = [](const void* start, size_t bytes) {
    for (size_t at = 0; at < bytes; at += kLineBytes) {
      __builtin_prefetch(static_cast<const std::byte*>(start) + at);
    }
  };
  if (position + kOperations < order.size()) {
    fetch(order[position + kOperations].get(), sizeof(Operation));
  }
  if (position + kNodes >= order.size()) return;
  for (const array& input : order[position + kNodes]->inputs) {
    fetch(&input.node(), sizeof(Node));
  }
}

// `waiting` begins where this thread has nothing left to do but wait.
void encode_all(const std::vector<array>& outputs, bool is_waiting,
                const std::source_location& site, WaitSpan& waiting) {
  Engine& engine = Engine::get();
  const std::lock_guard lock(engine.mutex());
  device::HostSpan span(Activity::kEncode, {}, SiteText(site));
  engine.begin_evaluation();
  OperationOrder order = order_graph(outputs);
  Evaluation evaluation(engine, order.size());
  for (size_t i = 0; i < order.size(); ++i) {
    fetch_ahead(order, i);
    std::shared_ptr<Operation>& operation = order[i];
    try {
      evaluation.encode(operation);
    } catch (const FailedInput& error) {
      evaluation.finish(false);
      throw std::runtime_error(add_evaluation_site(error.what(), site));
    } catch (const std::invalid_argument& error) {
      evaluation.finish(false);
      throw std::invalid_argument(describe_failure(*operation, error.what(), site));
    } catch (const std::exception& error) {
      evaluation.finish(false);
      throw std::runtime_error(describe_failure(*operation, error.what(), site));
    }
    operation.reset();  // lets the next one take the memory of arrays that nobody needs
  }
  if (is_waiting) {
    span.end();
    // Small work runs on this thread before finish() returns.
    waiting.emplace(Activity::kWait, std::string_view(), SiteText(site));
  }
  evaluation.finish(is_waiting);
}

void wait_for_values(Node& node, const std::source_location& site) {
  if (node.status.load(std::memory_order_acquire) != NodeStatus::kScheduled) return;
  if (const std::optional<std::string> failure = node.completion->find_failure(*node.storage)) {
    throw std::runtime_error(add_evaluation_site(*failure, site));
  }
  node.status.store(NodeStatus::kReady, std::memory_order_release);
}

}  // namespace

void evaluate(const std::vector<array>& outputs, bool is_waiting,
              const std::source_location& site) {
  require_values(outputs);
  const ListenedEvaluation listened;
  tell_graph_building(site);
  WaitSpan waiting;
  encode_all(outputs, is_waiting, site, waiting);
  if (!is_waiting) return;
  for (const array& output : outputs) wait_for_values(output.node(), site);
}

// Without a line of C++: whoever calls these did not give one.
void array::wait() { wait_for_values(*node_, std::source_location()); }

void array::eval() {
  const std::source_location nowhere;
  if (is_available()) return wait();
  const device::HostSpan reading(Activity::kRead, {}, SiteText(nowhere));
  if (node_->status.load(std::memory_order_acquire) == NodeStatus::kLazy) {
    return evaluate({*this}, true, nowhere);
  }
  const device::HostSpan waiting(Activity::kWait, {}, SiteText(nowhere));
  wait();
}

void eval(std::vector<array> outputs, std::source_location site) { evaluate(outputs, true, site); }

void async_eval(std::vector<array> outputs, std::source_location site) {
  evaluate(outputs, false, site);
}

}  // namespace assay
