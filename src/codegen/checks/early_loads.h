// Loads of checked code that InstCombine moves to where their value is used.
#pragma once

#include "llvm/IR/PassManager.h"

namespace assay::codegen {

// InstCombine, which loads the value of `float v = x[i]; if (i < n) y[i] = v;` behind the
// comparison. The program reads x[i] whatever i is: an assay.check.early.load stays where such a
// load was.
struct CombineInstructions : llvm::PassInfoMixin<CombineInstructions> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace assay::codegen
