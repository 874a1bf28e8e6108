// Set-up of LLVM's pass managers.
#include "codegen/llvm_pipeline.h"

#include "codegen/checks/early_loads.h"
#include "codegen/checks/kept_places.h"
#include "llvm/Transforms/Coroutines/CoroCleanup.h"
#include "llvm/Transforms/Coroutines/CoroEarly.h"
#include "llvm/Transforms/Coroutines/CoroSplit.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LowerExpectIntrinsic.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Scalar/TailRecursionElimination.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

namespace assay::codegen {
namespace {

// Generated code may call only what device/cpu provides, so LLVM must not make calls to anything
// else of the C library (memcmp, bcmp, …) out of plain loops and comparisons.
llvm::TargetLibraryInfoImpl create_library_info(const llvm::Triple& triple) {
  llvm::TargetLibraryInfoImpl info(triple);
  info.disableAllFunctions();
  for (llvm::LibFunc function :
       {llvm::LibFunc_memcpy, llvm::LibFunc_memmove, llvm::LibFunc_memset}) {
    info.setAvailable(function);
  }
  return info;
}

llvm::OptimizationLevel optimisation_level(unsigned optimisation) {
  switch (optimisation) {
    case 0: return llvm::OptimizationLevel::O0;
    case 1: return llvm::OptimizationLevel::O1;
    case 2: return llvm::OptimizationLevel::O2;
    default: return llvm::OptimizationLevel::O3;
  }
}

llvm::PipelineTuningOptions tuning_options(unsigned optimisation) {
  llvm::PipelineTuningOptions options;
  options.LoopVectorization = optimisation >= 2;
  options.SLPVectorization = optimisation >= 2;
  return options;
}

// What is computed again behind a suspension instead of being kept in the frame: less than LLVM
// repeats unless told. The operands of a vector operation take more of the frame than its result,
// and a division takes longer than a load.
bool is_cheap_to_repeat(llvm::Instruction& instruction) {
  auto is_vector = [](const llvm::Value* value) { return value->getType()->isVectorTy(); };
  if (is_vector(&instruction) || llvm::any_of(instruction.operand_values(), is_vector)) {
    return false;
  }
  if (instruction.isIntDivRem()) return false;
  return llvm::isa<llvm::CastInst, llvm::GetElementPtrInst, llvm::BinaryOperator, llvm::CmpInst,
                   llvm::SelectInst>(instruction);
}

// What constants decide is decided; everything else stays as it was written.
struct DropDeadBlocks : llvm::PassInfoMixin<DropDeadBlocks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    for (llvm::BasicBlock& block : function) llvm::ConstantFoldTerminator(&block, true);
    llvm::removeUnreachableBlocks(function);
    return llvm::PreservedAnalyses::none();
  }
};

}  // namespace

LlvmPipeline::LlvmPipeline(llvm::TargetMachine& target, const PipelineOptions& options,
                           base::ThreadCpuClock::time_point deadline)
    : optimisation_(options.optimisation),
      keeps_variables_(options.keeps_variables),
      library_info_impl_(create_library_info(target.getTargetTriple())),
      library_info_(library_info_impl_),
      builder_(&target, tuning_options(optimisation_), std::nullopt, &callbacks_) {
  callbacks_.registerShouldRunOptionalPassCallback(
      [deadline](llvm::StringRef, llvm::Any) { return base::ThreadCpuClock::now() <= deadline; });
  function_analyses_.registerPass(
      [this] { return llvm::TargetLibraryAnalysis(library_info_impl_); });
  builder_.registerModuleAnalyses(module_analyses_);
  builder_.registerCGSCCAnalyses(call_graph_analyses_);
  builder_.registerFunctionAnalyses(function_analyses_);
  builder_.registerLoopAnalyses(loop_analyses_);
  builder_.crossRegisterProxies(loop_analyses_, function_analyses_, call_graph_analyses_,
                                module_analyses_);

  folding_.addPass(llvm::InstSimplifyPass());
  folding_.addPass(DropDeadBlocks());
  // First: the branches that the hints stand at must still be there.
  simplification_.addPass(llvm::LowerExpectIntrinsicPass());
  simplification_.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  simplification_.addPass(llvm::EarlyCSEPass());
  if (options.is_checked) {
    simplification_.addPass(SimplifyBranches());
    simplification_.addPass(CombineInstructions());
    simplification_.addPass(SimplifyBranches());
  } else {
    simplification_.addPass(llvm::SimplifyCFGPass());
    simplification_.addPass(llvm::InstCombinePass());
    simplification_.addPass(llvm::SimplifyCFGPass());
  }
}

void LlvmPipeline::simplify(llvm::Function& function) {
  clear_analyses();
  (keeps_variables_ ? folding_ : simplification_).run(function, function_analyses_);
}

void LlvmPipeline::simplify_unseen(llvm::Function& function) {
  clear_analyses();
  simplification_.run(function, function_analyses_);
}

void LlvmPipeline::split_variables(llvm::Function& function) {
  clear_analyses();
  llvm::SROAPass(llvm::SROAOptions::PreserveCFG).run(function, function_analyses_);
}

void LlvmPipeline::eliminate_tail_calls(llvm::Function& function) {
  // As values first: a variable whose address is taken keeps a call from being the last action.
  simplify(function);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::TailCallElimPass());
  passes.run(function, function_analyses_);
}

void LlvmPipeline::split_vectors(llvm::Function& function) {
  clear_analyses();
  llvm::ScalarizerPass pass;
  pass.setScalarizeLoadStore(true);
  pass.run(function, function_analyses_);
}

void LlvmPipeline::optimise_lanes(llvm::Function& function) {
  clear_analyses();
  if (optimisation_ > 0) {
    llvm::FunctionPassManager scalar = builder_.buildFunctionSimplificationPipeline(
        optimisation_level(optimisation_), llvm::ThinOrFullLTOPhase::None);
    scalar.run(function, function_analyses_);
  } else {
    simplification_.run(function, function_analyses_);
  }
  clear_analyses();
}

void LlvmPipeline::normalise_lanes(llvm::Function& function) {
  llvm::FunctionPassManager form;
  form.addPass(llvm::LowerSwitchPass());
  form.addPass(llvm::UnifyFunctionExitNodesPass());
  form.addPass(llvm::FixIrreduciblePass());
  form.addPass(llvm::LoopSimplifyPass());
  form.run(function, function_analyses_);
  clear_analyses();
}

void LlvmPipeline::promote_variables(llvm::Function& function) {
  clear_analyses();
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::PromotePass());
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.run(function, function_analyses_);
  clear_analyses();
}

void LlvmPipeline::shrink_coroutine(llvm::Function& function) {
  clear_analyses();
  if (keeps_variables_) return;
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstSimplifyPass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::ADCEPass());
  passes.run(function, function_analyses_);
}

void LlvmPipeline::split_coroutines(llvm::Module& module) {
  clear_analyses();
  llvm::ModulePassManager passes;
  passes.addPass(llvm::CoroEarlyPass());
  // Values are saved where they are made: one that leaves a loop is then saved behind the loop, not
  // in every round.
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(llvm::LCSSAPass()));
  passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(
      llvm::CoroSplitPass(is_cheap_to_repeat, /*OptimizeFrame=*/optimisation_ > 0)));
  passes.addPass(llvm::CoroCleanupPass());
  passes.run(module, module_analyses_);
  clear_analyses();
}

void LlvmPipeline::optimise_vectors(llvm::Function& function) {
  clear_analyses();
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  if (optimisation_ > 0) {
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                         /*UseMemorySSA=*/true));
    passes.addPass(llvm::GVNPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::ADCEPass());
    passes.addPass(llvm::SimplifyCFGPass());
  }
  passes.run(function, function_analyses_);
  clear_analyses();
}

void LlvmPipeline::clear_analyses() {
  loop_analyses_.clear();
  function_analyses_.clear();
  call_graph_analyses_.clear();
  module_analyses_.clear();
}

void LlvmPipeline::optimise(llvm::Module& module) {
  clear_analyses();
  llvm::OptimizationLevel level = optimisation_level(optimisation_);
  llvm::ModulePassManager passes = level == llvm::OptimizationLevel::O0
                                       ? builder_.buildO0DefaultPipeline(level)
                                       : builder_.buildPerModuleDefaultPipeline(level);
  passes.run(module, module_analyses_);
}

}  // namespace assay::codegen
