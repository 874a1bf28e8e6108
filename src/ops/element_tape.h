// A list of element-wise steps that one kernel runs for each element: a single op when eager, a
// whole chain when fused. Also the text of that kernel.
#pragma once

#include <string>
#include <vector>

#include "assay/dtype.h"
#include "ops/elementwise_table.h"

namespace assay {

// How a kernel finds an input's element.
enum class Access : uint8_t {
  kScalar,   // one element for all
  kLinear,   // element i of the output is element i of the input
  kRow,      // along the innermost axis one after the other
  kRepeat,   // the same along the innermost axis
  kStrided,  // with a stride along the innermost axis
};

struct TapeInput {
  Dtype dtype;
};

struct TapeStep {
  const ElementRow* row;
  Dtype operand;  // what the arguments are converted to (for select: the last two)
  Dtype result;
  // Inputs first, then steps, both in order.
  std::vector<uint32_t> arguments;
};

struct ElementTape {
  std::vector<TapeInput> inputs;
  std::vector<TapeStep> steps;
  std::vector<uint32_t> outputs;  // numbered as arguments are

  Dtype type_of(uint32_t value) const {
    return value < inputs.size() ? inputs[value].dtype : steps[value - inputs.size()].result;
  }
  // "sin_cos_exp", cut where it gets too long to read.
  std::string name() const;
  // Unique for tapes that need different code.
  std::string key() const;
};

// How the inputs of one launch lie.
struct TapeVariant {
  std::vector<Access> accesses;  // per input
  bool is_linear = true;         // no input needs rows
};

// MSL source of kernel `name`. Buffers: inputs, outputs, then for rows the layout (width and rank),
// the shape without its last axis, and the strides of each input.
std::string write_element_kernel(const ElementTape& tape, const TapeVariant& variant,
                                 const std::string& name);
// Texts of kernels/ that other code of the same kernel needs.
struct ElementHelpers {
  bool complex = false, doubles = false, functions = false;
};
// Types and functions that the tape's expressions use.
std::string write_element_prelude(const ElementTape& tape, ElementHelpers also = {});
// The steps for one element: declares v0, v1 … from `loads`, one expression per input.
std::string write_element_steps(const ElementTape& tape, const std::vector<std::string>& loads,
                                const std::string& indent);

}  // namespace assay
