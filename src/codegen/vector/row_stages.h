// Cuts long code for a row of threads into stages.
#pragma once

#include <vector>

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Function.h"

namespace assay::codegen {

// One stage: a function with the parameters of the code that was cut and two addresses, of what the
// stage before kept of this row and of what this one keeps for the next.
struct RowStage {
  llvm::Function* function = nullptr;
  llvm::StructType* kept = nullptr;  // what it keeps of a row; null of the last stage
};

// A processor looks some hundred instructions ahead. Where one row's code is longer than that and
// each instruction needs the one before, nothing of the next row begins while this one waits for
// its own results. Stages that run for all rows of a threadgroup, one stage after the other, are
// short enough for rows to overlap. Only for code without barriers. `row` becomes part of the
// stages; the result is empty, and `row` does what it did, where cutting it does not pay or may not
// be.
std::vector<RowStage> split_into_stages(llvm::Function& row);

}  // namespace assay::codegen
