// LLVM's own passes as one build uses them: a light clean-up per function while our passes run, and
// the optimisation pipeline at the end.
#pragma once

#include "base/thread_cpu_clock.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen {

struct PipelineOptions {
  unsigned optimisation = 0;
  bool keeps_variables = false;  // for debuggers, local variables stay in memory all the way
  bool is_checked = false;       // loads that move leave a mark for insert-checks
};

// Not thread-safe; one per build.
class LlvmPipeline {
 public:
  // Once `deadline` has passed, optional LLVM passes are skipped; the caller then reports the
  // error.
  LlvmPipeline(llvm::TargetMachine& target, const PipelineOptions& options,
               base::ThreadCpuClock::time_point deadline);

  // Folds constants and branches, and turns local variables into values unless they are to be kept.
  // Keeps every convergent call where it is: nothing here hoists, sinks, duplicates or
  // unrolls one. Arithmetic may move into the block that uses it.
  void simplify(llvm::Function& function);
  // The same for code that no debugger sees: turns variables into values in any case.
  void simplify_unseen(llvm::Function& function);

  // Turns variables into values, as far as that is possible, and leaves all else as it is.
  void split_variables(llvm::Function& function);

  // Simplifies, then replaces calls of a function to itself at its end by jumps to its start.
  void eliminate_tail_calls(llvm::Function& function);

  // One operation per element instead of operations of vectors, memory accesses included.
  void split_vectors(llvm::Function& function);

  // The scalar part of optimise() for code that vectorise will read. Respects convergence.
  void optimise_lanes(llvm::Function& function);
  // The form that vectorise needs: loops with one way in and one latch, branches instead of
  // switches, one return.
  void normalise_lanes(llvm::Function& function);

  // Turns variables into values after vectorise, and folds what that shows.
  void promote_variables(llvm::Function& function);

  // Leaves less to keep in the frame before a coroutine is split: variables become values, and what
  // is computed twice or not used goes. Moves nothing behind a suspend point: a sum that moves
  // there leaves its operands in the frame.
  void shrink_coroutine(llvm::Function& function);
  // Splits coroutines into the function that starts them and the function that resumes them.
  void split_coroutines(llvm::Module& module);

  // -O0 … -O3.
  void optimise(llvm::Module& module);

  // What is left to do after vectorise, whose input was optimised already: a full optimise() would
  // take several times as long for the same code.
  void optimise_vectors(llvm::Function& function);

  const llvm::TargetLibraryInfo& library_info() const { return library_info_; }

 private:
  // Our passes change functions without telling the managers.
  void clear_analyses();

  unsigned optimisation_;
  bool keeps_variables_;
  llvm::TargetLibraryInfoImpl library_info_impl_;
  llvm::TargetLibraryInfo library_info_;
  llvm::PassInstrumentationCallbacks callbacks_;
  llvm::LoopAnalysisManager loop_analyses_;
  llvm::FunctionAnalysisManager function_analyses_;
  llvm::CGSCCAnalysisManager call_graph_analyses_;
  llvm::ModuleAnalysisManager module_analyses_;
  llvm::PassBuilder builder_;
  llvm::FunctionPassManager simplification_;
  llvm::FunctionPassManager folding_;  // simplification_ for code that keeps its variables
};

}  // namespace assay::codegen
