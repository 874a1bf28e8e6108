// See lower_checks.h.
#include "codegen/checks/lower_checks.h"

#include "codegen/intrinsics.h"
#include "kernel/cpu_abi.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace assay::codegen {
namespace {

llvm::FunctionCallee declare_runtime(llvm::IRBuilder<>& builder, llvm::StringRef name,
                                     llvm::Type* result, llvm::ArrayRef<llvm::Value*> arguments) {
  llvm::Module* module = builder.GetInsertBlock()->getModule();
  std::vector<llvm::Type*> types;
  for (llvm::Value* argument : arguments) types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      module->getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::cast<llvm::Function>(callee.getCallee())->addFnAttr(llvm::Attribute::NoUnwind);
  return callee;
}

// Storage in the function's entry block.
llvm::AllocaInst* allocate_words(llvm::IRBuilder<>& builder, unsigned count) {
  llvm::BasicBlock& entry = builder.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  return at_entry.CreateAlloca(llvm::ArrayType::get(at_entry.getInt64Ty(), count));
}

}  // namespace

llvm::Value* emit_check_access(llvm::IRBuilder<>& builder, const CheckContext& context,
                               llvm::Value* site, const CheckedAddress& address,
                               llvm::Value* values, llvm::Value* object) {
  llvm::Value* none = llvm::ConstantPointerNull::get(builder.getPtrTy());
  llvm::Value* zero = builder.getInt64(0);
  std::vector<llvm::Value*> arguments = {context.group,
                                         site,
                                         context.mask,
                                         context.first_thread,
                                         address.first ? address.first : zero,
                                         address.stride ? address.stride : zero,
                                         address.each ? address.each : none,
                                         values ? values : none,
                                         object};
  return builder.CreateCall(
      declare_runtime(builder, "assay_check_access", builder.getInt32Ty(), arguments), arguments);
}

void emit_check_condition(llvm::IRBuilder<>& builder, const CheckContext& context,
                          llvm::Value* site, llvm::Value* values) {
  std::vector<llvm::Value*> arguments = {context.group, site, context.mask, context.first_thread,
                                         values};
  builder.CreateCall(
      declare_runtime(builder, "assay_check_condition", builder.getVoidTy(), arguments), arguments);
}

void emit_check_barrier(llvm::IRBuilder<>& builder, const CheckContext& context,
                        llvm::Value* site) {
  std::vector<llvm::Value*> arguments = {context.group, site, context.mask, context.first_thread};
  builder.CreateCall(
      declare_runtime(builder, "assay_check_barrier", builder.getVoidTy(), arguments), arguments);
}

namespace {

// A thread alone is lane 0 of a simdgroup without others.
void lower(llvm::CallInst& call, IntrinsicKind kind, const CheckContext& context) {
  llvm::IRBuilder<> builder(&call);
  llvm::Value* site = call.getArgOperand(0);
  if (kind == IntrinsicKind::kCheckBarrier) {
    emit_check_barrier(builder, context, site);
  } else if (kind == IntrinsicKind::kCheckAccess) {
    llvm::AllocaInst* value = allocate_words(builder, 1);
    builder.CreateStore(call.getArgOperand(2), value);
    CheckedAddress address{.first =
                               builder.CreatePtrToInt(call.getArgOperand(1), builder.getInt64Ty())};
    llvm::Value* object = builder.CreatePtrToInt(call.getArgOperand(3), builder.getInt64Ty());
    llvm::Value* lanes = emit_check_access(builder, context, site, address, value, object);
    call.replaceAllUsesWith(builder.CreateIsNotNull(lanes));
  } else {
    llvm::Instruction* then =
        llvm::SplitBlockAndInsertIfThen(call.getArgOperand(1), &call, /*Unreachable=*/false);
    builder.SetInsertPoint(then);
    llvm::AllocaInst* values = allocate_words(builder, 2 * kernel::kSimdgroupWidth);
    builder.CreateStore(call.getArgOperand(2), values);
    builder.CreateStore(
        call.getArgOperand(3),
        builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), values, kernel::kSimdgroupWidth));
    emit_check_condition(builder, context, site, values);
  }
  call.eraseFromParent();
}

}  // namespace

void lower_thread_checks(llvm::Function& function, llvm::Value* group, llvm::Value* thread_index) {
  std::vector<std::pair<llvm::CallInst*, IntrinsicKind>> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
    if (intrinsic && is_check(intrinsic->kind)) {
      calls.emplace_back(llvm::cast<llvm::CallInst>(&instruction), intrinsic->kind);
    }
  }
  llvm::Value* alone = llvm::ConstantInt::get(llvm::Type::getInt32Ty(function.getContext()), 1);
  for (auto [call, kind] : calls) lower(*call, kind, {group, alone, thread_index});
}

}  // namespace assay::codegen
