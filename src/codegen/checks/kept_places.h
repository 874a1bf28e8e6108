// Loads and stores of checked code, which LLVM would join across branches.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/PassManager.h"

namespace assay::codegen {

// While one of these lives, no two accesses of a function become one with neither's line: loads
// whose values meet behind a branch or in the next round of a loop (their object would be lost,
// too), and stores to one place that exclude each other or follow one another. Other accesses move
// as ever.
class KeptPlaces {
 public:
  explicit KeptPlaces(llvm::Function& function);
  ~KeptPlaces();
  KeptPlaces(const KeptPlaces&) = delete;
  KeptPlaces& operator=(const KeptPlaces&) = delete;

 private:
  llvm::Function& function_;
};

// SimplifyCFG, which makes `s[i] = 0; if (c) s[i] = v;` one store.
struct SimplifyBranches : llvm::PassInfoMixin<SimplifyBranches> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace assay::codegen
