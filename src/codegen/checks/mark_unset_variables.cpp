// See mark_unset_variables.h.
#include "codegen/checks/mark_unset_variables.h"

#include "codegen/call_graph.h"
#include "codegen/checks/inline_variable_uses.h"
#include "codegen/checks/source_place.h"
#include "codegen/checks/thread_places.h"
#include "codegen/checks/variable_uses.h"
#include "codegen/intrinsics.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {
namespace {

uint64_t smallest_part(const llvm::Type& type, const llvm::DataLayout& layout) {
  if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
    return smallest_part(*array->getElementType(), layout);
  }
  auto* record = llvm::dyn_cast<llvm::StructType>(&type);
  if (!record || record->getNumElements() == 0) {
    return layout.getTypeStoreSize(const_cast<llvm::Type*>(&type)->getScalarType());
  }
  uint64_t smallest = UINT64_MAX;
  for (const llvm::Type* element : record->elements()) {
    smallest = std::min(smallest, smallest_part(*element, layout));
  }
  return smallest;
}

// The flags of one variable.
class Flags {
 public:
  Flags(llvm::AllocaInst& variable, const VariableUses& uses, llvm::FunctionCallee check)
      : variable_(variable),
        check_(check),
        layout_(variable.getModule()->getDataLayout()),
        part_(smallest_part(*variable.getAllocatedType(), layout_)),
        bytes_(uses.bytes()),
        count_(parts(uses.bytes())),
        places_(layout_) {
    llvm::IRBuilder<> builder(variable.getNextNode());
    // Those behind the last are for indices that are out of bounds, which others tell.
    uint64_t room = count_ + 1;
    for (const VariableUses::Write& write : uses.writes()) {
      room = std::max(room, count_ + parts(write.bytes));
    }
    auto* type = llvm::ArrayType::get(builder.getInt8Ty(), room);
    flags_ = builder.CreateAlloca(type, nullptr, "set." + variable.getName());
    builder.CreateMemSet(flags_, builder.getInt8(0), room, llvm::Align(1));
  }

  void set(const VariableUses::Write& write) {
    constexpr uint64_t kMaxSingly = 8;
    llvm::IRBuilder<> builder(write.instruction);
    const uint64_t count = parts(write.bytes);
    llvm::Value* first = flag(builder, write.address);
    if (count > kMaxSingly) {
      leave_alone(*builder.CreateMemSet(first, builder.getInt8(1), count, llvm::Align(1)));
      return;
    }
    for (uint64_t i = 0; i < count; ++i) {
      llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), first, i);
      leave_alone(*builder.CreateStore(builder.getInt8(1), address));
    }
  }

  void look_at(llvm::LoadInst& read) {
    llvm::IRBuilder<> builder(&read);
    llvm::Value* address = read.getPointerOperand();
    llvm::LoadInst* flag_value = builder.CreateLoad(builder.getInt8Ty(), flag(builder, address));
    leave_alone(*flag_value);
    llvm::Value* offset = places_.find(address)->offset;
    llvm::Value* is_wrong =
        builder.CreateAnd(builder.CreateICmpEQ(flag_value, builder.getInt8(0)),
                          builder.CreateICmpULT(offset, builder.getInt64(bytes_)));
    const uint64_t part = layout_.getTypeStoreSize(read.getType());
    llvm::CallInst* call = builder.CreateCall(
        check_,
        {builder.getInt32(static_cast<uint32_t>(kernel::SiteKind::kUnsetVariable)), is_wrong,
         builder.CreateUDiv(offset, builder.getInt64(part)), builder.getInt64(bytes_ / part)});
    llvm::LLVMContext& context = read.getContext();
    auto* name = llvm::MDString::get(context, variable_.getName());
    call->setMetadata(kVariableMetadata, llvm::MDNode::get(context, name));
    // The value must not let LLVM conclude that nothing ever comes here.
    builder.SetInsertPoint(read.getNextNode());
    auto* frozen = llvm::cast<llvm::Instruction>(builder.CreateFreeze(&read));
    read.replaceUsesWithIf(frozen, [&](llvm::Use& use) { return use.getUser() != frozen; });
  }

 private:
  uint64_t parts(uint64_t bytes) const { return (bytes + part_ - 1) / part_; }

  llvm::Value* flag(llvm::IRBuilder<>& builder, llvm::Value* address) {
    llvm::Value* number =
        builder.CreateUDiv(places_.find(address)->offset, builder.getInt64(part_));
    number = builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, number, builder.getInt64(count_));
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), flags_, number);
  }

  static void leave_alone(llvm::Instruction& access) {
    access.setMetadata(kFlagMetadata, llvm::MDNode::get(access.getContext(), {}));
  }

  llvm::AllocaInst& variable_;
  llvm::FunctionCallee check_;
  const llvm::DataLayout& layout_;
  uint64_t part_;
  uint64_t bytes_;
  uint64_t count_;
  llvm::AllocaInst* flags_ = nullptr;
  ThreadPlaces places_;
};

bool may_be_read_unset(const VariableUses& uses, const llvm::DominatorTree& dominators) {
  auto has_value = [&](const llvm::LoadInst* read) {
    return llvm::any_of(uses.writes(), [&](const VariableUses::Write& write) {
      return write.bytes == uses.bytes() && dominators.dominates(write.instruction, read);
    });
  };
  return !llvm::all_of(uses.reads(), has_value);
}

void mark_function(llvm::Function& function, llvm::FunctionCallee check) {
  const llvm::DominatorTree dominators(function);
  for (llvm::AllocaInst* variable : list_user_variables(function)) {
    const VariableUses uses(*variable);
    if (uses.is_lost() || !may_be_read_unset(uses, dominators)) continue;
    Flags flags(*variable, uses, check);
    for (const VariableUses::Write& write : uses.writes()) flags.set(write);
    for (llvm::LoadInst* read : uses.reads()) flags.look_at(*read);
  }
}

}  // namespace

Result<void> mark_unset_variables(KernelBuild& build) {
  llvm::FunctionCallee check = declare_check_condition(build.module);
  for (llvm::Function* function : callees_first(build.module)) {
    if (is_standard_library(*function)) continue;
    inline_variable_uses(*function);
    mark_function(*function, check);
  }
  return {};
}

}  // namespace assay::codegen
