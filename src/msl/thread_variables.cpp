// See thread_variables.h.
#include "msl/thread_variables.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>

#include <map>
#include <set>

namespace assay::msl {
namespace {

struct UsedVariable {
  llvm::GlobalVariable* global;
  const ThreadVariable* variable;
};

class VariablePasser {
 public:
  VariablePasser(llvm::Module& module, std::vector<kernel::KernelInfo>& kernels) : module_(module) {
    for (kernel::KernelInfo& info : kernels) {
      if (llvm::Function* function = module.getFunction(info.symbol)) kernels_[function] = &info;
    }
  }

  void add(const ThreadVariable& variable) {
    llvm::GlobalVariable* global = module_.getGlobalVariable(variable.symbol, true);
    if (global == nullptr) return;
    llvm::convertUsersOfConstantsToInstructions({global});
    const size_t number = variables_.size();
    variables_.push_back({global, &variable});
    for (llvm::User* user : global->users()) {
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(user)) {
        add_user(*instruction->getFunction(), number);
      }
    }
  }

  std::vector<std::string> run() {
    for (const auto& [function, numbers] : users_) replace(*function, numbers);
    for (llvm::CallBase* call : calls_) pass_on(*call);
    std::vector<std::string> called_through_pointers;
    for (const auto& [function, replacement] : replacements_) {
      replacement->takeName(function);
      // Only the list of what is to be kept names kernels.
      if (!function->use_empty() && !kernels_.contains(function)) {
        called_through_pointers.push_back(replacement->getName().str());
      }
      function->replaceAllUsesWith(replacement);
      function->eraseFromParent();
    }
    return called_through_pointers;
  }

 private:
  // Who calls somebody that needs the variable needs it, too.
  void add_user(llvm::Function& function, size_t number) {
    if (!users_[&function].insert(number).second) return;
    for (llvm::User* user : function.users()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(user);
      if (call == nullptr || call->getCalledOperand() != &function) continue;
      calls_.insert(call);
      add_user(*call->getFunction(), number);
    }
  }

  // As front end and code generators agree on it (codegen/intrinsics.h): one component is a number,
  // several lie in memory of the thread's own.
  llvm::Type* parameter_type(const llvm::Function& function, const UsedVariable& used) const {
    const bool is_number = used.variable->argument.components == 1;
    return kernels_.contains(&function) && is_number
               ? used.global->getValueType()
               : llvm::PointerType::getUnqual(module_.getContext());
  }

  // The same function with parameters for the variables behind its own.
  void replace(llvm::Function& function, const std::set<size_t>& numbers) {
    llvm::SmallVector<llvm::Type*> types(function.getFunctionType()->params());
    for (size_t number : numbers) types.push_back(parameter_type(function, variables_[number]));
    auto* type = llvm::FunctionType::get(function.getReturnType(), types, function.isVarArg());
    llvm::Function* replacement = llvm::Function::Create(type, function.getLinkage(),
                                                         function.getAddressSpace(), "", &module_);
    replacement->copyAttributesFrom(&function);
    replacement->removeFnAttr(llvm::Attribute::Memory);
    replacement->setComdat(function.getComdat());
    replacement->copyMetadata(&function, 0);
    replacement->splice(replacement->begin(), &function);
    for (llvm::Argument& argument : function.args()) {
      llvm::Argument* moved = replacement->getArg(argument.getArgNo());
      argument.replaceAllUsesWith(moved);
      moved->takeName(&argument);
    }
    unsigned next = static_cast<unsigned>(function.arg_size());
    for (size_t number : numbers) {
      llvm::Argument& parameter = *replacement->getArg(next++);
      values_[{replacement, number}] = storage(function, *replacement, parameter, number);
    }
    for (size_t number : numbers) replace_uses(*replacement, number);
    if (auto kernel = kernels_.find(&function); kernel != kernels_.end()) {
      for (size_t number : numbers) {
        kernel->second->arguments.push_back(variables_[number].variable->argument);
      }
    }
    replacements_.emplace_back(&function, replacement);
    replacement_of_[&function] = replacement;
  }

  // Where the thread's value of the variable lies.
  llvm::Value* storage(const llvm::Function& original, llvm::Function& function,
                       llvm::Argument& parameter, size_t number) {
    const UsedVariable& used = variables_[number];
    parameter.setName(used.variable->argument.name);
    if (!kernels_.contains(&original)) return &parameter;
    llvm::Type* type = used.global->getValueType();
    if (parameter.getType()->isPointerTy()) {
      llvm::AttrBuilder attributes(module_.getContext());
      attributes.addByValAttr(type);
      attributes.addAlignmentAttr(used.global->getAlign().valueOrOne());
      parameter.addAttrs(attributes);
      return &parameter;
    }
    llvm::IRBuilder<> builder(&function.getEntryBlock(), function.getEntryBlock().begin());
    llvm::AllocaInst* variable = builder.CreateAlloca(type, nullptr, parameter.getName());
    builder.CreateStore(&parameter, variable);
    return variable;
  }

  void replace_uses(llvm::Function& function, size_t number) {
    llvm::GlobalVariable* global = variables_[number].global;
    global->replaceUsesWithIf(values_[{&function, number}], [&](llvm::Use& use) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return instruction != nullptr && instruction->getFunction() == &function;
    });
  }

  // Calls the replacement of the function, with what the caller knows.
  void pass_on(llvm::CallBase& call) {
    auto* callee = llvm::cast<llvm::Function>(call.getCalledOperand());
    llvm::Function* replacement = replacement_of_[callee];
    llvm::SmallVector<llvm::Value*> arguments(call.args());
    llvm::IRBuilder<> builder(&call);
    for (size_t number : users_[callee]) {
      llvm::Value* value = values_[{call.getFunction(), number}];
      llvm::Type* type = replacement->getArg(arguments.size())->getType();
      arguments.push_back(type->isPointerTy() ? value : builder.CreateLoad(type, value));
    }
    llvm::CallInst* passing = builder.CreateCall(replacement, arguments);
    passing->setCallingConv(call.getCallingConv());
    passing->setAttributes(call.getAttributes());
    passing->copyMetadata(call);
    passing->takeName(&call);
    call.replaceAllUsesWith(passing);
    call.eraseFromParent();
  }

  llvm::Module& module_;
  std::map<const llvm::Function*, kernel::KernelInfo*> kernels_;
  std::vector<UsedVariable> variables_;
  // In the order they were found, so that the module is always the same.
  llvm::MapVector<llvm::Function*, std::set<size_t>> users_;
  llvm::SetVector<llvm::CallBase*> calls_;
  std::vector<std::pair<llvm::Function*, llvm::Function*>> replacements_;
  std::map<llvm::Function*, llvm::Function*> replacement_of_;
  std::map<std::pair<llvm::Function*, size_t>, llvm::Value*> values_;
};

}  // namespace

std::vector<std::string> pass_thread_variables(llvm::Module& module,
                                               const std::vector<ThreadVariable>& variables,
                                               std::vector<kernel::KernelInfo>& kernels) {
  VariablePasser passer(module, kernels);
  for (const ThreadVariable& variable : variables) passer.add(variable);
  return passer.run();
}

}  // namespace assay::msl
