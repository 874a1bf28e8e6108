// See mark_unset_variables.h.
#include "codegen/checks/mark_unset_variables.h"

#include "codegen/checks/source_place.h"
#include "codegen/checks/thread_places.h"
#include "codegen/intrinsics.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

// What is done with one variable.
class Uses {
 public:
  explicit Uses(llvm::AllocaInst& variable)
      : variable_(variable),
        layout_(variable.getModule()->getDataLayout()),
        bytes_(layout_.getTypeAllocSize(variable.getAllocatedType())),
        is_followed_(follow(variable)) {}

  // Something may write the variable that is not among the writes.
  bool is_lost() const { return !is_followed_; }
  uint64_t bytes() const { return bytes_; }
  const std::vector<llvm::LoadInst*>& reads() const { return reads_; }

  struct Write {
    llvm::Instruction* instruction;
    llvm::Value* address;
    uint64_t bytes;  // of the whole variable where that is not known
  };
  const std::vector<Write>& writes() const { return writes_; }

  bool may_be_read_unset(const llvm::DominatorTree& dominators) const {
    auto has_value = [&](const llvm::LoadInst* read) {
      return llvm::any_of(writes_, [&](const Write& write) {
        return write.bytes == bytes_ && dominators.dominates(write.instruction, read);
      });
    };
    return !llvm::all_of(reads_, has_value);
  }

 private:
  bool follow(llvm::Value& address) {
    return llvm::all_of(address.users(), [&](llvm::User* user) { return note(address, *user); });
  }

  bool note(llvm::Value& address, llvm::User& user) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
      if (is_one_part(*load)) reads_.push_back(load);
      return !load->isVolatile();
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
      const auto bytes = layout_.getTypeStoreSize(store->getValueOperand()->getType());
      writes_.push_back({store, &address, bytes.getFixedValue()});
      return store->getPointerOperand() == &address && store->getValueOperand() != &address;
    }
    if (llvm::isa<llvm::GetElementPtrInst>(user)) return follow(user);
    if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&user)) {
      auto* length = llvm::dyn_cast<llvm::ConstantInt>(block->getLength());
      if (block->getRawDest() == &address) {
        if (!length) return false;
        writes_.push_back({block, &address, length->getZExtValue()});
      }
      return true;
    }
    auto* call = llvm::dyn_cast<llvm::CallBase>(&user);
    if (!call) return llvm::isa<llvm::ICmpInst>(user);
    if (!call->isLifetimeStartOrEnd()) writes_.push_back({call, &variable_, bytes_});
    return true;
  }

  // Parts of structs that are passed by value are read together, with what lies between them.
  bool is_one_part(const llvm::LoadInst& load) const {
    llvm::Type* type = load.getType();
    if (!type->isIntegerTy() && !type->isFloatingPointTy() && !type->isPointerTy()) return false;
    if (auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(load.getPointerOperand())) {
      return part->getResultElementType() == type;
    }
    return variable_.getAllocatedType() == type;
  }

  llvm::AllocaInst& variable_;
  const llvm::DataLayout& layout_;
  uint64_t bytes_;
  std::vector<llvm::LoadInst*> reads_;
  std::vector<Write> writes_;
  bool is_followed_;
};

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
  Flags(llvm::AllocaInst& variable, const Uses& uses, llvm::FunctionCallee check)
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
    for (const Uses::Write& write : uses.writes()) {
      room = std::max(room, count_ + parts(write.bytes));
    }
    auto* type = llvm::ArrayType::get(builder.getInt8Ty(), room);
    flags_ = builder.CreateAlloca(type, nullptr, "set." + variable.getName());
    builder.CreateMemSet(flags_, builder.getInt8(0), room, llvm::Align(1));
  }

  void set(const Uses::Write& write) {
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

// Names with a dot are clang's own: parameters, temporary values.
bool is_users(const llvm::AllocaInst& variable) {
  return variable.hasName() && !variable.getName().contains('.') &&
         variable.getName() != "retval" && !variable.isArrayAllocation();
}

void mark_function(llvm::Function& function, llvm::FunctionCallee check) {
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (variable && is_users(*variable)) variables.push_back(variable);
  }
  const llvm::DominatorTree dominators(function);
  for (llvm::AllocaInst* variable : variables) {
    const Uses uses(*variable);
    if (uses.is_lost() || !uses.may_be_read_unset(dominators)) continue;
    Flags flags(*variable, uses, check);
    for (const Uses::Write& write : uses.writes()) flags.set(write);
    for (llvm::LoadInst* read : uses.reads()) flags.look_at(*read);
  }
}

}  // namespace

Result<void> mark_unset_variables(KernelBuild& build) {
  llvm::FunctionCallee check = declare_check_condition(build.module);
  for (llvm::Function& function : build.module) {
    if (!function.isDeclaration() && !is_standard_library(function)) mark_function(function, check);
  }
  return {};
}

}  // namespace assay::codegen
