// Lazy loading by reachability, and removal of what the front end's target left behind.
#include "codegen/load_module.h"

#include "codegen/intrinsics.h"
#include "fmt/format.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace assay::codegen {
namespace {

// Everything reached so far. Function bodies are read from the bitcode when they are reached.
class Reachability {
 public:
  // An LLVM error text, or empty.
  std::string add(llvm::GlobalValue& root) {
    std::vector<llvm::Constant*> work{&root};
    while (!work.empty()) {
      llvm::Constant* constant = work.back();
      work.pop_back();
      if (!seen_.insert(constant).second) continue;
      if (auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
        if (llvm::Error error = function->materialize()) return toString(std::move(error));
        add_operands(*function, work);
      } else {
        for (llvm::Value* operand : constant->operands()) {
          if (auto* part = llvm::dyn_cast<llvm::Constant>(operand)) work.push_back(part);
        }
      }
    }
    return {};
  }

  bool contains(const llvm::Constant& constant) const { return seen_.contains(&constant); }

 private:
  static void add_operands(llvm::Function& function, std::vector<llvm::Constant*>& work) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      for (llvm::Value* operand : instruction.operands()) {
        if (llvm::isa<llvm::ConstantData>(operand)) continue;
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(operand)) work.push_back(constant);
      }
    }
  }

  llvm::DenseSet<const llvm::Constant*> seen_;
};

// The functions of llvm.global_ctors, where a function that only calls others (clang makes one per
// file) counts as the others: each usually computes one variable, and few are needed.
Result<std::vector<llvm::Function*>> list_initialisers(llvm::Module& module) {
  std::vector<llvm::Function*> list;
  llvm::GlobalVariable* constructors = module.getNamedGlobal("llvm.global_ctors");
  if (!constructors || !constructors->hasInitializer()) return list;
  for (llvm::Value* entry : constructors->getInitializer()->operands()) {
    auto* function = llvm::dyn_cast<llvm::Function>(llvm::cast<llvm::User>(entry)->getOperand(1));
    if (!function) continue;
    if (llvm::Error error = function->materialize()) return Error{toString(std::move(error))};
    std::vector<llvm::Function*> called;
    bool only_calls = function->size() == 1;
    for (llvm::Instruction& instruction : llvm::instructions(*function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call && call->getCalledFunction() && call->arg_empty()) {
        called.push_back(call->getCalledFunction());
      } else if (!llvm::isa<llvm::ReturnInst>(instruction)) {
        only_calls = false;
      }
    }
    if (only_calls) {
      list.insert(list.end(), called.begin(), called.end());
    } else {
      list.push_back(function);
    }
  }
  return list;
}

// Variables that initialisers may compute: all that are not already constant, and those the front
// end only declares because their value depends on function constants, which it does too.
llvm::DenseSet<llvm::GlobalVariable*> computed_variables(
    llvm::Module& module, std::span<const kernel::FunctionConstant> constants) {
  llvm::DenseSet<llvm::GlobalVariable*> variables;
  for (llvm::GlobalVariable& variable : module.globals()) {
    bool is_function_constant = llvm::any_of(constants, [&](const auto& constant) {
      return variable.getName() == constant.symbol || variable.getName() == constant.defined_symbol;
    });
    if (is_function_constant || variable.getName().starts_with("llvm.")) continue;
    if (variable.isDeclaration() || !variable.isConstant()) variables.insert(&variable);
  }
  return variables;
}

// The initialisers that concern a computed variable in `reached`, and all they reach, added to it.
Result<std::vector<llvm::Function*>> add_initialisers(
    llvm::Module& module, const llvm::DenseSet<llvm::GlobalVariable*>& computed,
    Reachability& reached) {
  Result<std::vector<llvm::Function*>> all = list_initialisers(module);
  if (!all) return all;
  std::vector<Reachability> own(all->size());
  for (size_t i = 0; i < all->size(); ++i) {
    if (std::string text = own[i].add(*(*all)[i]); !text.empty()) return Error{text};
  }
  // A needed initialiser may read variables that others compute; repeat until nothing is added.
  std::vector<bool> is_needed(all->size());
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < all->size(); ++i) {
      if (is_needed[i] || !llvm::any_of(computed, [&](llvm::GlobalVariable* variable) {
            return own[i].contains(*variable) && reached.contains(*variable);
          })) {
        continue;
      }
      if (std::string text = reached.add(*(*all)[i]); !text.empty()) return Error{text};
      is_needed[i] = changed = true;
    }
  }
  std::vector<llvm::Function*> result;
  for (size_t i = 0; i < all->size(); ++i) {
    if (is_needed[i]) result.push_back((*all)[i]);
  }
  return result;
}

// Declared variables become memory that their initialisers can write.
void define_computed(const llvm::DenseSet<llvm::GlobalVariable*>& computed,
                     const Reachability& reached) {
  for (llvm::GlobalVariable* variable : computed) {
    if (!reached.contains(*variable) || !variable->isDeclaration()) continue;
    variable->setInitializer(llvm::Constant::getNullValue(variable->getValueType()));
    variable->setConstant(false);
  }
}

template <typename Range>
void erase_unused(Range&& globals, const Reachability& reached) {
  for (auto& global : llvm::make_early_inc_range(globals)) {
    global.removeDeadConstantUsers();
    if (!reached.contains(global) && global.use_empty()) global.eraseFromParent();
  }
}

void drop_unreached(llvm::Module& module, const Reachability& reached) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!reached.contains(variable)) variable.setInitializer(nullptr);
  }
  for (llvm::Function& function : module) {
    if (!reached.contains(function)) function.deleteBody();
  }
  erase_unused(module.aliases(), reached);
  erase_unused(module.globals(), reached);
  erase_unused(module.functions(), reached);
}

void normalise_function(llvm::Function& function) {
  if (std::optional<Intrinsic> intrinsic = find_intrinsic(&function)) {
    set_intrinsic_attributes(function, *intrinsic);
    return;
  }
  // The build decides about the processor; MSL has no exceptions, so no unwind tables either.
  for (llvm::StringRef name : {"target-cpu", "target-features", "tune-cpu", "frame-pointer",
                               "stack-protector-buffer-size", "probe-stack"}) {
    function.removeFnAttr(name);
  }
  for (llvm::Attribute::AttrKind kind :
       {llvm::Attribute::OptimizeNone, llvm::Attribute::UWTable, llvm::Attribute::StackProtect,
        llvm::Attribute::StackProtectStrong}) {
    function.removeFnAttr(kind);
  }
  if (!function.isIntrinsic()) function.addFnAttr(llvm::Attribute::NoUnwind);
  function.setComdat(nullptr);
  function.setCallingConv(llvm::CallingConv::C);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call) continue;
    call->setCallingConv(llvm::CallingConv::C);
    if (call->getCalledFunction() && find_intrinsic(call->getCalledFunction())) {
      call->setAttributes({});
    }
  }
}

void normalise(llvm::Module& module, const llvm::Function* kernel) {
  for (llvm::Function& function : module) {
    normalise_function(function);
    if (&function != kernel && !function.isDeclaration()) {
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
  }
  for (llvm::GlobalVariable& variable : module.globals()) {
    variable.setComdat(nullptr);
    if (!variable.isDeclaration()) variable.setLinkage(llvm::GlobalValue::InternalLinkage);
  }
}

}  // namespace

llvm::GlobalVariable* find_constant(llvm::Module& module, const std::string& name) {
  if (llvm::GlobalVariable* variable = module.getNamedGlobal(name)) return variable;
  // Constants at namespace scope have internal linkage, which C++ name mangling marks with "L".
  return module.getNamedGlobal(fmt::format("_ZL{}{}", name.size(), name));
}

Result<LoadedModule> load_module(std::string_view bitcode, const kernel::KernelInfo& info,
                                 std::span<const kernel::FunctionConstant> constants,
                                 llvm::LLVMContext& context, bool keeps_lines) {
  auto fail = [&](const std::string& text) {
    return Error{fmt::format("[compile] kernel '{}': {}", info.name, text)};
  };
  llvm::MemoryBufferRef buffer(llvm::StringRef(bitcode.data(), bitcode.size()), "library");
  llvm::Expected<std::unique_ptr<llvm::Module>> parsed =
      llvm::getLazyBitcodeModule(buffer, context, /*ShouldLazyLoadMetadata=*/true);
  if (!parsed) {
    return fail("the library cannot be read: " + toString(parsed.takeError()) +
                "; compile it again");
  }
  LoadedModule loaded;
  loaded.module = std::move(*parsed);
  loaded.kernel = loaded.module->getFunction(info.symbol);
  if (!loaded.kernel || loaded.kernel->isDeclaration()) {
    return fail(fmt::format("the library has no function '{}'; it was compiled from other source",
                            info.symbol));
  }
  Reachability reached;
  if (std::string text = reached.add(*loaded.kernel); !text.empty()) return fail(text);
  for (const kernel::Argument& argument : info.arguments) {
    if (!argument.present_if) continue;
    llvm::GlobalVariable* condition = find_constant(*loaded.module, *argument.present_if);
    if (!condition) continue;
    if (std::string text = reached.add(*condition); !text.empty()) return fail(text);
  }
  llvm::DenseSet<llvm::GlobalVariable*> computed = computed_variables(*loaded.module, constants);
  Result<std::vector<llvm::Function*>> initialisers =
      add_initialisers(*loaded.module, computed, reached);
  if (!initialisers) return fail(initialisers.error().message);
  loaded.initialisers = std::move(*initialisers);
  if (!loaded.initialisers.empty()) define_computed(computed, reached);
  drop_unreached(*loaded.module, reached);
  if (llvm::Error error = loaded.module->materializeAll()) {
    return fail(toString(std::move(error)));
  }
  normalise(*loaded.module, loaded.kernel);
  if (!keeps_lines) llvm::StripDebugInfo(*loaded.module);
  return loaded;
}

}  // namespace assay::codegen
