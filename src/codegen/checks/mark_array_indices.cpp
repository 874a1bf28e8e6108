// See mark_array_indices.h.
#include "codegen/checks/mark_array_indices.h"

#include "codegen/checks/source_place.h"
#include "codegen/intrinsics.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

namespace assay::codegen {
namespace {

// What becomes of an element whose address is computed. An address that goes elsewhere may be that
// of the end, or one from which the program counts on.
enum class Use : uint8_t { kAddress, kRead, kWrite };

Use use_of(const llvm::Value& address, unsigned depth = 0);

Use use_by(const llvm::Value& address, const llvm::User& user, unsigned depth) {
  if (llvm::isa<llvm::LoadInst>(user)) return Use::kRead;
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&user)) {
    return store->getPointerOperand() == &address ? Use::kWrite : Use::kAddress;
  }
  if (llvm::isa<llvm::AtomicRMWInst, llvm::AtomicCmpXchgInst>(user)) return Use::kWrite;
  if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&user)) {
    return block->getRawDest() == &address ? Use::kWrite : Use::kRead;
  }
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&user)) {
    // Operators of vectors and the like.
    const llvm::Function* callee = call->getCalledFunction();
    return callee && is_standard_library(*callee) ? Use::kRead : Use::kAddress;
  }
  if (llvm::isa<llvm::AddrSpaceCastInst>(user)) return use_of(user, depth + 1);
  if (auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
    // A member, or an element of an array; not what array-to-pointer conversion makes of one.
    const bool is_decay = part->getSourceElementType()->isArrayTy() && part->hasAllZeroIndices();
    const bool is_part = part->getSourceElementType()->isAggregateType() && !is_decay;
    return is_part ? use_of(user, depth + 1) : Use::kAddress;
  }
  return Use::kAddress;
}

Use use_of(const llvm::Value& address, unsigned depth) {
  constexpr unsigned kMaxDepth = 8;
  Use use = Use::kAddress;
  if (depth == kMaxDepth) return use;
  for (const llvm::User* user : address.users()) {
    use = std::max(use, use_by(address, *user, depth));
  }
  return use;
}

// Whether the array that `element` points into is part of something larger. The first row of an
// array may stand for all of it: `tile[0][i]`.
bool is_inside(const llvm::GetElementPtrInst& element) {
  auto* outer = llvm::dyn_cast<llvm::GEPOperator>(element.getPointerOperand());
  return outer && outer->getSourceElementType()->isAggregateType() &&
         !(outer->getSourceElementType()->isArrayTy() && outer->hasAllZeroIndices());
}

// `index` is an operand of `access`, which computes the address of an element of `length`.
void watch(llvm::Instruction& access, llvm::Use& index, uint64_t length, Use use,
           llvm::FunctionCallee check) {
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(index);
  if (use == Use::kAddress || (known && known->getValue().ult(length))) return;
  llvm::IRBuilder<> builder(&access);
  llvm::Value* number = builder.CreateFreeze(index);
  index.set(number);
  number = builder.CreateSExtOrTrunc(number, builder.getInt64Ty());
  const auto kind =
      use == Use::kWrite ? kernel::SiteKind::kArrayWrite : kernel::SiteKind::kArrayRead;
  builder.CreateCall(check, {builder.getInt32(static_cast<uint32_t>(kind)),
                             builder.CreateICmpUGE(number, builder.getInt64(length)), number,
                             builder.getInt64(length)});
}

void mark(llvm::GetElementPtrInst& element, llvm::FunctionCallee check) {
  auto* type = llvm::dyn_cast<llvm::ArrayType>(element.getSourceElementType());
  // Arrays of one element at the end of a struct often stand for any number.
  if (!type || type->getNumElements() < 2 || element.getNumIndices() != 2) return;
  if (!is_inside(element)) return;
  watch(element, element.getOperandUse(2), type->getNumElements(), use_of(element), check);
}

// Components of vectors and columns of matrices: operators of the library that are given the whole
// and give a part of it. Three components take the room of four.
void mark(llvm::CallInst& call, llvm::FunctionCallee check) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !is_standard_library(*callee) || call.arg_size() != 2 ||
      callee->getSubprogram()->getName() != "operator[]" ||
      !call.getArgOperand(1)->getType()->isIntegerTy()) {
    return;
  }
  const bool gives_address = call.getType()->isPointerTy();
  const uint64_t whole = callee->getParamDereferenceableBytes(0);
  const uint64_t part =
      gives_address
          ? callee->getAttributes().getRetDereferenceableBytes()
          : call.getModule()->getDataLayout().getTypeStoreSize(call.getType()).getFixedValue();
  if (whole == 0 || part == 0) return;
  watch(call, call.getArgOperandUse(1), whole / part, gives_address ? use_of(call) : Use::kRead,
        check);
}

}  // namespace

Result<void> mark_array_indices(KernelBuild& build) {
  std::vector<llvm::Instruction*> instructions;
  for (llvm::Function& function : build.module) {
    if (function.isDeclaration() || is_standard_library(function)) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      instructions.push_back(&instruction);
    }
  }
  llvm::FunctionCallee check = declare_check_condition(build.module);
  for (llvm::Instruction* instruction : instructions) {
    if (auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(instruction)) mark(*element, check);
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(instruction)) mark(*call, check);
  }
  return {};
}

}  // namespace assay::codegen
