// Evaluation with LLVM's own interpreter for constant expressions.
#include "codegen/passes/fold_initialisers.h"

#include "codegen/llvm_pipeline.h"
#include "codegen/passes/inline_calls.h"
#include "codegen/passes/specialise_constants.h"
#include "fmt/format.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Evaluator.h"

namespace assay::codegen {
namespace {

// Why `initialiser` could not be evaluated: most often a constant without a value.
Error describe_failure(const KernelBuild& build, llvm::Function& initialiser) {
  std::string variables;
  for (llvm::Instruction& instruction : llvm::instructions(initialiser)) {
    for (const kernel::FunctionConstant& constant : build.constants) {
      llvm::GlobalVariable* symbol = build.module.getNamedGlobal(constant.symbol);
      if (!symbol || !symbol->isDeclaration()) continue;
      for (llvm::Value* operand : instruction.operands()) {
        if (operand->stripPointerCasts() == symbol) return missing_constant(build, constant);
      }
    }
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
    if (!store) continue;
    auto* variable =
        llvm::dyn_cast<llvm::GlobalVariable>(store->getPointerOperand()->stripInBoundsOffsets());
    if (variable) variables += fmt::format(" '{}'", readable_name(*variable));
  }
  return build.error(fmt::format(
      "the program-scope constant{} cannot be computed at build time; use an expression "
      "of function constants without loops",
      variables));
}

}  // namespace

Result<void> fold_initialisers(KernelBuild& build) {
  std::vector<llvm::GlobalVariable*> written;
  for (llvm::Function* initialiser : build.initialisers) {
    // Inlined and simplified first: the evaluator does not copy structs through memory.
    if (Result<void> inlined =
            inline_every_call(build, *initialiser, build.options.instruction_limit);
        !inlined)
      return inlined;
    build.pipeline.simplify_unseen(*initialiser);
    llvm::Evaluator evaluator(build.module.getDataLayout(), &build.pipeline.library_info());
    llvm::Constant* result = nullptr;
    if (!evaluator.EvaluateFunction(initialiser, result, llvm::SmallVector<llvm::Constant*>())) {
      return describe_failure(build, *initialiser);
    }
    for (auto [variable, value] : evaluator.getMutatedInitializers()) {
      variable->setInitializer(value);
      written.push_back(variable);
    }
  }
  // Only now: a later initialiser may still write a guard variable of an earlier one.
  for (llvm::GlobalVariable* variable : written) variable->setConstant(true);
  build.initialisers.clear();
  build.erase_unused_functions();
  return {};
}

}  // namespace assay::codegen
