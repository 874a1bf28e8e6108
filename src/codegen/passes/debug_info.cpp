// See debug_info.h.
#include "codegen/passes/debug_info.h"

#include "fmt/format.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"

namespace assay::codegen {
namespace {

using kernel::ThreadAttribute;

struct NamedPosition {
  ThreadAttribute attribute;
  const char* names[3];
};

constexpr NamedPosition kPositions[] = {
    {ThreadAttribute::kThreadPositionInGrid, {"thread_x", "thread_y", "thread_z"}},
    {ThreadAttribute::kThreadgroupPositionInGrid,
     {"threadgroup_x", "threadgroup_y", "threadgroup_z"}},
};

// Scalars, not vectors: debuggers print them in every backtrace.
class ThreadDescription {
 public:
  ThreadDescription(KernelBuild& build, const llvm::DISubprogram& kernel,
                    llvm::IRBuilder<>& builder)
      : debug_(build.module),
        builder_(builder),
        file_(kernel.getFile()),
        line_(kernel.getLine()),
        number_(debug_.createBasicType("uint", 32, llvm::dwarf::DW_ATE_unsigned)) {
    // A unit of its own, in C: LLVM takes every coroutine in C++ for one of that language, and
    // looks for the promise object that those have.
    debug_.createCompileUnit(llvm::dwarf::DW_LANG_C11, file_, "assay", /*isOptimized=*/false, "",
                             /*RV=*/0);
    std::vector<llvm::Metadata*> types(1 + 3 * std::size(kPositions), number_);
    types[0] = nullptr;  // returns nothing
    scope_ =
        debug_.createFunction(file_, fmt::format("thread_of_{}", build.info.name), "", file_, line_,
                              debug_.createSubroutineType(debug_.getOrCreateTypeArray(types)),
                              line_, llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
    builder.GetInsertBlock()->getParent()->setSubprogram(scope_);
    builder.SetCurrentDebugLocation(llvm::DILocation::get(builder.getContext(), line_, 0, scope_));
  }

  void add_parameter(const char* name, llvm::Value* value) {
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_start(&entry, entry.begin());
    llvm::AllocaInst* storage = at_start.CreateAlloca(builder_.getInt32Ty(), nullptr, name);
    builder_.CreateStore(value, storage);
    llvm::DILocalVariable* variable = debug_.createParameterVariable(
        scope_, name, ++parameters_, file_, line_, number_, /*AlwaysPreserve=*/true);
    debug_.insertDeclare(storage, variable, debug_.createExpression(),
                         builder_.getCurrentDebugLocation().get(), builder_.GetInsertBlock());
  }

  void finish() { debug_.finalize(); }

 private:
  llvm::DIBuilder debug_;
  llvm::IRBuilder<>& builder_;
  llvm::DIFile* file_;
  unsigned line_;
  llvm::DIBasicType* number_;
  llvm::DISubprogram* scope_ = nullptr;
  unsigned parameters_ = 0;
};

}  // namespace

Result<void> locate_calls(KernelBuild& build) {
  for (llvm::Function& function : build.module) {
    llvm::DISubprogram* scope = function.getSubprogram();
    if (scope == nullptr) continue;
    // Debuggers cannot read names with Metal's address spaces, and then show them as they are.
    scope->replaceLinkageName(nullptr);
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (!llvm::isa<llvm::CallInst>(instruction) || instruction.getDebugLoc()) continue;
      instruction.setDebugLoc(llvm::DILocation::get(build.module.getContext(), 0, 0, scope));
    }
  }
  return {};
}

void describe_thread(KernelBuild& build, llvm::IRBuilder<>& builder, ThreadValues& values) {
  const llvm::DISubprogram* kernel = build.kernel->getSubprogram();
  if (kernel == nullptr) return;
  ThreadDescription description(build, *kernel, builder);
  for (const NamedPosition& position : kPositions) {
    const Vector3 value = values.attribute(position.attribute);
    for (int axis = 0; axis < 3; ++axis)
      description.add_parameter(position.names[axis], value[axis]);
  }
  description.finish();
}

// LLVM puts into a coroutine's frame what is used behind a suspend point.
Result<void> keep_variables(KernelBuild& build) {
  llvm::SmallVector<llvm::AllocaInst*> variables;
  llvm::SmallVector<llvm::ReturnInst*> ends;
  for (llvm::Instruction& instruction : llvm::instructions(*build.entry)) {
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      if (!llvm::findDVRDeclares(variable).empty()) variables.push_back(variable);
    } else if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      ends.push_back(end);
    }
  }
  for (llvm::ReturnInst* end : ends) {
    llvm::IRBuilder<> builder(end);
    for (llvm::AllocaInst* variable : variables) {
      builder.CreateLoad(builder.getInt8Ty(), variable, /*isVolatile=*/true);
    }
  }
  return {};
}

Result<void> settle_debug_info(KernelBuild& build) {
  bool is_broken = false;
  llvm::verifyModule(build.module, nullptr, &is_broken);
  if (is_broken) llvm::StripDebugInfo(build.module);
  return {};
}

}  // namespace assay::codegen
