// compile: traces by signature, and the functions that replay them.
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>

#include "assay/transforms.h"
#include "transforms/traced_graph.h"

namespace assay {
namespace {

std::atomic<CompileMode> current_mode = CompileMode::enabled;

// What a trace depends on.
struct Signature {
  std::vector<Shape> shapes;  // only the ranks count if shapeless
  std::vector<Dtype::Val> dtypes;
  std::vector<uint64_t> constants;
  CompileMode mode;
  Stream stream;
  auto operator<=>(const Signature&) const = default;
};

using Traces = std::map<Signature, std::shared_ptr<const TracedGraph>>;

// Traces of one function. Thread-safe; two threads may trace the same signature at once, and one of
// the results stays.
class TraceCache {
 public:
  std::shared_ptr<const TracedGraph> find(const Signature& signature) {
    const std::lock_guard lock(mutex_);
    const auto found = traces_.find(signature);
    return found == traces_.end() ? nullptr : found->second;
  }
  void store(const Signature& signature, std::shared_ptr<const TracedGraph> graph) {
    const std::lock_guard lock(mutex_);
    traces_.insert_or_assign(signature, std::move(graph));
  }

 private:
  std::mutex mutex_;
  Traces traces_;
};

struct NumberedCaches {
  std::mutex mutex;
  std::map<std::uintptr_t, std::shared_ptr<TraceCache>> caches;
};

// Never destroyed: compiled functions may be static objects.
NumberedCaches& numbered_caches() {
  static auto* caches = new NumberedCaches;
  return *caches;
}

std::shared_ptr<TraceCache> cache_of(std::uintptr_t function_id) {
  NumberedCaches& numbered = numbered_caches();
  const std::lock_guard lock(numbered.mutex);
  std::shared_ptr<TraceCache>& cache = numbered.caches[function_id];
  if (!cache) cache = std::make_shared<TraceCache>();
  return cache;
}

Signature make_signature(const std::vector<array>& inputs, bool is_shapeless,
                         std::vector<uint64_t> constants) {
  Signature signature{{}, {}, std::move(constants), current_mode, default_stream(default_device())};
  for (const array& input : inputs) {
    signature.shapes.push_back(is_shapeless ? Shape(input.ndim(), 0) : input.shape());
    signature.dtypes.push_back(input.dtype().val());
  }
  return signature;
}

std::shared_ptr<const TracedGraph> trace(const ArrayFunction& function,
                                         const std::vector<array>& inputs, bool is_shapeless) {
  const TracingScope scope(is_shapeless);
  std::vector<array> tracers;
  for (const array& input : inputs) {
    auto node = base::make_recycled<Node>(input.shape(), input.dtype());
    node->is_tracer = true;
    tracers.emplace_back(std::move(node));
  }
  auto graph = std::make_shared<TracedGraph>(record_graph(tracers, function(tracers), inputs));
  const CompileMode mode = current_mode;
  if (mode != CompileMode::no_simplify) simplify_graph(*graph);
  if (mode != CompileMode::no_fuse) {
    fuse_graph(*graph);
    fuse_reductions(*graph);
  }
  return graph;
}

bool is_traced(const std::vector<array>& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const array& input) { return input.is_tracer(); });
}

ArrayFunction make_compiled(ArrayFunction function, std::shared_ptr<TraceCache> cache,
                            bool is_shapeless, std::vector<uint64_t> constants) {
  return [function = std::move(function), cache = std::move(cache), is_shapeless,
          constants = std::move(constants)](const std::vector<array>& inputs) {
    // Inside another trace the function's operations join that one.
    if (current_mode == CompileMode::disabled || is_traced(inputs)) return function(inputs);
    const Signature signature = make_signature(inputs, is_shapeless, constants);
    std::shared_ptr<const TracedGraph> graph = cache->find(signature);
    if (!graph) {
      graph = trace(function, inputs, is_shapeless);
      cache->store(signature, graph);
    }
    return replay_graph(*graph, inputs, is_shapeless);
  };
}

}  // namespace

ArrayFunction compile(ArrayFunction function, bool shapeless) {
  if (!function && current_mode != CompileMode::disabled) {
    throw std::invalid_argument("[compile] there is no function to compile: it is null");
  }
  return make_compiled(std::move(function), std::make_shared<TraceCache>(), shapeless, {});
}

ArrayFunction compile(ArrayFunction function, std::uintptr_t function_id, bool shapeless,
                      std::vector<uint64_t> constants) {
  return make_compiled(std::move(function), cache_of(function_id), shapeless, std::move(constants));
}

void compile_erase(std::uintptr_t function_id) {
  NumberedCaches& numbered = numbered_caches();
  const std::lock_guard lock(numbered.mutex);
  numbered.caches.erase(function_id);
}

void compile_clear_cache() {
  NumberedCaches& numbered = numbered_caches();
  const std::lock_guard lock(numbered.mutex);
  numbered.caches.clear();
}

void disable_compile() { current_mode = CompileMode::disabled; }
void enable_compile() { current_mode = CompileMode::enabled; }
void set_compile_mode(CompileMode mode) { current_mode = mode; }

}  // namespace assay
