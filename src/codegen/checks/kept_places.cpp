// See kept_places.h.
#include "codegen/checks/kept_places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

namespace assay::codegen {
namespace {

constexpr llvm::StringLiteral kValueName = "assay.kept.value.";  // (T) → T, the same
constexpr llvm::StringLiteral kStoreName = "assay.kept.store";

bool is_mark(const llvm::Instruction& instruction, llvm::StringRef name) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->isDeclaration() && callee->getName().starts_with(name);
}

llvm::FunctionCallee declare(llvm::Module& module, const std::string& name, llvm::Type* result,
                             llvm::ArrayRef<llvm::Type*> parameters,
                             const llvm::MemoryEffects& effects) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, parameters, /*isVarArg=*/false));
  auto* function = llvm::cast<llvm::Function>(callee.getCallee());
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setMemoryEffects(effects);
  return callee;
}

llvm::FunctionCallee declare_value(llvm::Module& module, llvm::Type* type) {
  std::string name = kValueName.str();
  llvm::raw_string_ostream(name) << *type;
  return declare(module, name, type, {type}, llvm::MemoryEffects::none());
}

llvm::FunctionCallee declare_store(llvm::Module& module) {
  return declare(module, kStoreName.str(), llvm::Type::getVoidTy(module.getContext()), {},
                 llvm::MemoryEffects::inaccessibleMemOnly());
}

// Whether `value` is loaded in `block`, or computed there from what is.
bool is_loaded(const llvm::Value& value, const llvm::BasicBlock& block, unsigned depth = 0) {
  constexpr unsigned kMaxDepth = 6;
  auto* made = llvm::dyn_cast<llvm::Instruction>(&value);
  if (!made || made->getParent() != &block || depth == kMaxDepth) return false;
  if (llvm::isa<llvm::LoadInst>(made)) return true;
  if (llvm::isa<llvm::PHINode, llvm::CallBase>(made)) return false;
  return llvm::any_of(made->operands(), [&](const llvm::Use& operand) {
    return is_loaded(*operand, block, depth + 1);
  });
}

// InstCombine takes an operation that makes all of a phi's values behind the phi, loads included.
bool may_be_joined(const llvm::PHINode& phi) {
  auto* first = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
  return first && llvm::all_of(phi.incoming_values(), [&](const llvm::Use& use) {
           auto* made = llvm::dyn_cast<llvm::Instruction>(use);
           return made && made->getOpcode() == first->getOpcode() &&
                  is_loaded(*made, *phi.getIncomingBlock(use));
         });
}

void keep_values(llvm::PHINode& phi) {
  for (llvm::Use& use : phi.incoming_values()) {
    auto* made = llvm::cast<llvm::Instruction>(use);
    llvm::IRBuilder<> builder(phi.getIncomingBlock(use)->getTerminator());
    llvm::FunctionCallee keep = declare_value(*phi.getModule(), phi.getType());
    use.set(builder.CreateCall(keep, {made}));
  }
}

// A phi names a block once for each way from there, with one value.
bool has_double_ways(const llvm::PHINode& phi) {
  llvm::SmallPtrSet<const llvm::BasicBlock*, 4> blocks;
  return llvm::any_of(phi.blocks(),
                      [&](const llvm::BasicBlock* block) { return !blocks.insert(block).second; });
}

bool stores(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    return llvm::isa<llvm::StoreInst>(instruction);
  });
}

}  // namespace

KeptPlaces::KeptPlaces(llvm::Function& function) : function_(function) {
  llvm::Module& module = *function.getParent();
  for (llvm::BasicBlock& block : function) {
    for (llvm::PHINode& phi : block.phis()) {
      if (may_be_joined(phi) && !has_double_ways(phi)) keep_values(phi);
    }
    auto* way = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
    if (way && way->isUnconditional() && stores(block)) {
      llvm::IRBuilder<>(way).CreateCall(declare_store(module));
    }
  }
}

KeptPlaces::~KeptPlaces() {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
    const bool is_value = is_mark(instruction, kValueName);
    if (is_value) instruction.replaceAllUsesWith(instruction.getOperand(0));
    if (is_value || is_mark(instruction, kStoreName)) instruction.eraseFromParent();
  }
}

llvm::PreservedAnalyses SimplifyBranches::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  const KeptPlaces places(function);
  llvm::SimplifyCFGPass().run(function, analyses);
  return llvm::PreservedAnalyses::none();
}

}  // namespace assay::codegen
