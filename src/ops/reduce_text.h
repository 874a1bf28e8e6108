// The text of a reduction's kernel: elements may be what element-wise steps make of several arrays,
// and the result may go through further steps, so that nothing in between is written to memory.
#pragma once

#include <string>
#include <vector>

#include "ops/element_tape.h"
#include "ops/fold.h"

namespace assay {

// Steps around a reduction.
struct ReduceTapes {
  ElementTape before;  // arrays → the element that is reduced
  ElementTape after;   // input 0: what the reduction gives; the others are single values
};

// How an array's address grows along the inner axis, or along the columns.
enum class ReduceStep : uint8_t { kNone, kOne, kStride };

enum class ReduceForm : uint8_t { kRows, kColumns, kEach };

struct ReduceText {
  FoldOp op;
  FoldTypes types;  // of the fold: the element, the accumulator, the result before `after`
  const ReduceTapes& tapes;
  ReduceForm form;
  std::vector<ReduceStep> inner;    // per array
  std::vector<ReduceStep> columns;  // per array; for columns only
};

// Unique for texts that differ.
std::string reduce_key(const ReduceText& text);
// Buffers: result, layout, shape, strides, the arrays of `before`, the single values of `after`.
std::string write_reduction(const ReduceText& text, const std::string& name);

}  // namespace assay
