// How two values become one: the text that reductions and scans put in front of their kernels.
#pragma once

#include <string>
#include <string_view>

#include "assay/dtype.h"
#include "ops/element_tape.h"

namespace assay {

enum class FoldOp : uint8_t { kSum, kProduct, kMin, kMax, kAll, kAny, kLogAddExp };

struct FoldTypes {
  Dtype input, accumulator, output;
};

// What values of type `result` are combined in.
Dtype fold_accumulator(FoldOp op, Dtype result);
// Unique for texts that differ.
std::string fold_key(FoldOp op, const FoldTypes& types);
// Includes, the types In, Acc and Out, and the functions identity(), combine(), load(), store() and
// those that move an Acc between lanes.
std::string write_fold(FoldOp op, const FoldTypes& types);
// The same in two parts: what to include, and the rest.
ElementHelpers fold_helpers(FoldOp op, const FoldTypes& types);
std::string write_fold_functions(FoldOp op, const FoldTypes& types);

}  // namespace assay
