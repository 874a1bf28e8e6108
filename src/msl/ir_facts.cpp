// See ir_facts.h.
#include "msl/ir_facts.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/Alignment.h>
#include <llvm/Transforms/IPO/FunctionAttrs.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>
#include <set>
#include <string>

namespace assay::msl {
namespace {

constexpr char kDerivePrefix[] = "__assay_derive_";  // see token_pass.cpp
constexpr char kThreadgroupMemory[] = "assay.threadgroup.memory";

// Everything a kernel reaches: functions it calls and globals it names.
class Reach {
 public:
  explicit Reach(const llvm::Function& kernel) { visit(kernel); }

  const std::set<const llvm::Function*>& functions() const { return functions_; }
  bool names(const std::string& global) const { return globals_.contains(global); }

 private:
  void visit(const llvm::Function& function) {
    if (!functions_.insert(&function).second) return;
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        for (const llvm::Use& operand : instruction.operands()) visit_value(operand.get());
      }
    }
  }

  void visit_value(const llvm::Value* value) {
    if (const auto* function = llvm::dyn_cast<llvm::Function>(value)) {
      visit(*function);
    } else if (const auto* global = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
      if (globals_.insert(global->getName().str()).second) visit_global(*global);
    } else if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
      for (const llvm::Use& operand : constant->operands()) visit_value(operand.get());
    }
  }

  // A constant that is derived from function constants gets its value in a constructor.
  void visit_global(const llvm::GlobalVariable& global) {
    if (global.hasInitializer()) return visit_value(global.getInitializer());
    for (const llvm::User* user : global.users()) {
      const auto* instruction = llvm::dyn_cast<llvm::Instruction>(user);
      if (instruction && instruction->getFunction()->getName().contains(kDerivePrefix)) {
        visit(*instruction->getFunction());
      }
    }
  }

  std::set<const llvm::Function*> functions_;
  std::set<std::string> globals_;
};

// One storage per variable and function it is written in.
uint64_t threadgroup_bytes(const Reach& reach) {
  uint64_t total = 0;
  for (const llvm::Function* function : reach.functions()) {
    std::set<uint64_t> seen;
    for (const llvm::BasicBlock& block : *function) {
      for (const llvm::Instruction& instruction : block) {
        const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
        if (callee == nullptr || callee->getName() != kThreadgroupMemory) continue;
        auto argument = [&](unsigned index) -> uint64_t {
          const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(index));
          return number ? number->getZExtValue() : 0;
        };
        if (!seen.insert(argument(0)).second) continue;
        total = llvm::alignTo(total, std::max<uint64_t>(argument(2), 1)) + argument(1);
      }
    }
  }
  return total;
}

// Lets LLVM infer readonly, writeonly and readnone for the kernels' pointer parameters.
void infer_parameter_attributes(llvm::Module& module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  passes.addPass(
      llvm::createModuleToFunctionPassAdaptor(llvm::SROAPass(llvm::SROAOptions::PreserveCFG)));
  passes.addPass(llvm::createModuleToPostOrderCGSCCPassAdaptor(llvm::PostOrderFunctionAttrsPass()));
  passes.run(module, modules);
}

kernel::Access access_of(const llvm::Argument& argument, kernel::AddressSpace space) {
  if (argument.hasAttribute(llvm::Attribute::ReadNone) || argument.use_empty()) {
    return kernel::Access::kNone;
  }
  if (argument.onlyReadsMemory() || space == kernel::AddressSpace::kConstant) {
    return kernel::Access::kRead;
  }
  if (argument.hasAttribute(llvm::Attribute::WriteOnly)) return kernel::Access::kWrite;
  return kernel::Access::kReadWrite;
}

void add_access(const llvm::Module& module, std::vector<kernel::KernelInfo>& kernels) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  // LLVM infers nothing for functions that the linker could replace, as it sees instantiations.
  for (llvm::Function& function : *copy) {
    if (function.isDeclaration()) continue;
    function.setComdat(nullptr);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
  }
  infer_parameter_attributes(*copy);
  for (kernel::KernelInfo& info : kernels) {
    const llvm::Function* function = copy->getFunction(info.symbol);
    if (function == nullptr || function->arg_size() != info.arguments.size()) continue;
    for (size_t i = 0; i < info.arguments.size(); ++i) {
      if (info.arguments[i].kind == kernel::ArgumentKind::kThreadAttribute) continue;
      info.arguments[i].access =
          access_of(*function->getArg(static_cast<unsigned>(i)), info.arguments[i].address_space);
    }
  }
}

}  // namespace

void strip_annotations(llvm::Module& module) {
  for (const char* name : {"llvm.var.annotation.p0.p0", "llvm.ptr.annotation.p0.p0"}) {
    llvm::Function* annotation = module.getFunction(name);
    if (annotation == nullptr) continue;
    for (llvm::User* user : llvm::make_early_inc_range(annotation->users())) {
      auto* call = llvm::cast<llvm::CallInst>(user);
      if (!call->getType()->isVoidTy()) call->replaceAllUsesWith(call->getArgOperand(0));
      call->eraseFromParent();
    }
    annotation->eraseFromParent();
  }
  if (auto* list = module.getGlobalVariable("llvm.global.annotations")) list->eraseFromParent();
  for (llvm::GlobalVariable& global : llvm::make_early_inc_range(module.globals())) {
    global.removeDeadConstantUsers();
    if (global.hasSection() && global.getSection() == "llvm.metadata" && global.use_empty() &&
        global.hasPrivateLinkage()) {
      global.eraseFromParent();
    }
  }
}

void add_ir_facts(const llvm::Module& module, bool analyse_access,
                  const std::vector<kernel::FunctionConstant>& constants,
                  std::vector<kernel::KernelInfo>& kernels) {
  for (kernel::KernelInfo& info : kernels) {
    const llvm::Function* function = module.getFunction(info.symbol);
    if (function == nullptr) continue;
    Reach reach(*function);
    info.static_threadgroup_bytes = threadgroup_bytes(reach);
    for (const kernel::FunctionConstant& constant : constants) {
      bool used = reach.names(constant.symbol) || reach.names(constant.defined_symbol) ||
                  std::ranges::any_of(info.arguments, [&](const kernel::Argument& argument) {
                    return argument.present_if == constant.name;
                  });
      if (used) info.function_constants.push_back(constant.name);
    }
  }
  if (analyse_access) add_access(module, kernels);
}

}  // namespace assay::msl
