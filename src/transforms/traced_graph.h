// What a function does to its inputs, recorded once: a list of operations over numbered values.
#pragma once

#include <memory>
#include <vector>

#include "array/primitive.h"

namespace assay {

struct TracedOperation {
  std::shared_ptr<const Primitive> primitive;
  std::vector<uint32_t> inputs, outputs;  // values
  std::vector<Shape> shapes;              // of the outputs
  std::vector<Dtype> dtypes;
  Stream stream{0, Device(Device::gpu)};
  CallSitePtr site = nullptr;
};

struct TracedInput {
  Shape shape;
  Dtype dtype;
};

// Values are numbered: the function's inputs, then constants, then what operations make.
struct TracedGraph {
  std::vector<TracedInput> inputs;
  std::vector<array> constants;
  std::vector<TracedOperation> operations;  // each behind those it reads from
  std::vector<uint32_t> outputs;
  uint32_t value_count = 0;
};

// `inputs` are the tracers that the function was called with. A function that gets an array both as
// an argument and from elsewhere would keep the value of this call: throws std::invalid_argument if
// one of `arguments`, for which the tracers stand, is part of a constant.
TracedGraph record_graph(const std::vector<array>& inputs, const std::vector<array>& outputs,
                         const std::vector<array>& arguments);

// The same operations on other inputs. Shapes come from the trace, or from each primitive if
// `is_shapeless`; throws std::invalid_argument for one that cannot say.
std::vector<array> replay_graph(const TracedGraph& graph, const std::vector<array>& inputs,
                                bool is_shapeless);

// Operations that do the same to the same values become one; what no output needs goes.
void simplify_graph(TracedGraph& graph);

// Element-wise operations that feed one another become one kernel.
void fuse_graph(TracedGraph& graph);
// Reductions take in the element-wise operation that makes their elements, and one that only needs
// their result and single values. Behind fuse_graph().
void fuse_reductions(TracedGraph& graph);

}  // namespace assay
