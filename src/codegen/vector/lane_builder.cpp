// Vector idioms that LLVM's back ends turn into good code, with loops over lanes where they do not.
#include "codegen/vector/lane_builder.h"

#include <numeric>

#include "llvm/IR/DataLayout.h"

namespace assay::codegen {

llvm::Type* LaneBuilder::lane_type(llvm::Type* type) const {
  if (llvm::VectorType::isValidElementType(type)) return llvm::FixedVectorType::get(type, kLanes);
  auto* record = llvm::dyn_cast<llvm::StructType>(type);
  if (!record) return nullptr;
  std::vector<llvm::Type*> fields;
  for (llvm::Type* field : record->elements()) {
    fields.push_back(lane_type(field));
    if (!fields.back()) return nullptr;
  }
  return llvm::StructType::get(type->getContext(), fields);
}

LaneBuilder::LaneBuilder(llvm::Function& function, llvm::TargetTransformInfo target)
    : llvm::IRBuilder<>(function.getContext()), function_(function), target_(std::move(target)) {}

// For AVX-512, which is the only one that scatters, LLVM names the width it prefers in
// code that is not all vectors.
unsigned LaneBuilder::lanes_per_register() {
  constexpr unsigned kLaneBits = 32;
  if (target_.isLegalMaskedScatter(lane_type(getFloatTy()), llvm::Align(4))) return 16;
  llvm::TypeSize bits =
      target_.getRegisterBitWidth(llvm::TargetTransformInfo::RGK_FixedWidthVector);
  return std::max(1U, static_cast<unsigned>(bits.getFixedValue()) / kLaneBits);
}

// Registers are joined before they become bits: one instruction each, while packing the bits of
// several registers into one takes more.
llvm::Value* LaneBuilder::any(llvm::Value* mask) {
  unsigned width = kLanes;
  for (; width > lanes_per_register(); width /= 2) {
    std::vector<int> low(width / 2);
    std::iota(low.begin(), low.end(), 0);
    std::vector<int> high(width / 2);
    std::iota(high.begin(), high.end(), static_cast<int>(width / 2));
    mask = CreateOr(CreateShuffleVector(mask, low), CreateShuffleVector(mask, high));
  }
  return CreateIsNotNull(CreateBitCast(mask, getIntNTy(width)));
}

llvm::Value* LaneBuilder::splat(llvm::Value* value) {
  auto* record = llvm::dyn_cast<llvm::StructType>(value->getType());
  if (!record) return CreateVectorSplat(kLanes, value);
  llvm::Value* result = llvm::PoisonValue::get(lane_type(record));
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    result = CreateInsertValue(result, splat(CreateExtractValue(value, i)), i);
  }
  return result;
}

llvm::Constant* LaneBuilder::steps(llvm::Type* integer, int64_t stride) {
  std::vector<llvm::Constant*> values;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    values.push_back(llvm::ConstantInt::get(
        integer, static_cast<uint64_t>(stride * static_cast<int64_t>(lane)), true));
  }
  return llvm::ConstantVector::get(values);
}

llvm::Value* LaneBuilder::blend(llvm::Value* mask, llvm::Value* value, llvm::Value* other) {
  auto* record = llvm::dyn_cast<llvm::StructType>(value->getType());
  if (!record) return CreateSelect(mask, value, other);
  llvm::Value* result = llvm::PoisonValue::get(record);
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    llvm::Value* field =
        CreateSelect(mask, CreateExtractValue(value, i), CreateExtractValue(other, i));
    result = CreateInsertValue(result, field, i);
  }
  return result;
}

llvm::Value* LaneBuilder::fill_inactive(llvm::Value* mask, llvm::Value* value,
                                        llvm::Constant* neutral) {
  return CreateSelect(mask, value, splat(neutral));
}

llvm::AllocaInst* LaneBuilder::variable(llvm::Type* type, const llvm::Twine& name) {
  llvm::BasicBlock& entry = function_.getEntryBlock();
  llvm::IRBuilder<> builder(&entry, entry.begin());
  return builder.CreateAlloca(type, nullptr, name);
}

llvm::AllocaInst* LaneBuilder::lane_array(llvm::Value* vector) {
  llvm::AllocaInst* array = variable(vector->getType(), "lanes");
  CreateStore(vector, array);
  return array;
}

llvm::Value* LaneBuilder::lane_element(llvm::AllocaInst* array, llvm::Type* element,
                                       llvm::Value* lane) {
  return CreateInBoundsGEP(element, array, CreateZExt(lane, getInt64Ty()));
}

void LaneBuilder::for_each_active(llvm::Value* mask,
                                  const std::function<void(llvm::Value*)>& body) {
  llvm::LLVMContext& context = getContext();
  llvm::BasicBlock* before = GetInsertBlock();
  auto* round = llvm::BasicBlock::Create(context, "lane", &function_);
  auto* after = llvm::BasicBlock::Create(context, "lanes.done", &function_);
  llvm::Value* bits = mask_bits(mask);
  CreateCondBr(CreateIsNotNull(bits), round, after);
  SetInsertPoint(round);
  llvm::PHINode* rest = CreatePHI(bits->getType(), 2, "rest");
  rest->addIncoming(bits, before);
  llvm::Value* lane = CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, getTrue());
  body(CreateZExtOrTrunc(lane, getInt32Ty()));
  llvm::Value* next = CreateAnd(rest, CreateSub(rest, llvm::ConstantInt::get(bits->getType(), 1)));
  rest->addIncoming(next, GetInsertBlock());
  CreateCondBr(CreateIsNotNull(next), round, after);
  SetInsertPoint(after);
}

void LaneBuilder::if_else(llvm::Value* condition, const std::function<void()>& body,
                          const std::function<void()>& otherwise) {
  llvm::LLVMContext& context = getContext();
  auto* then = llvm::BasicBlock::Create(context, "then", &function_);
  auto* other = llvm::BasicBlock::Create(context, "else", &function_);
  auto* after = llvm::BasicBlock::Create(context, "after", &function_);
  CreateCondBr(condition, then, other);
  for (auto [block, emit] : {std::pair(then, &body), std::pair(other, &otherwise)}) {
    SetInsertPoint(block);
    (*emit)();
    CreateBr(after);
  }
  SetInsertPoint(after);
}

// Exact for integers of up to 32 bits: a quotient that is no integer misses the next one by more
// than a double's rounding.
llvm::Value* LaneBuilder::divide_as_double(llvm::Value* left, llvm::Value* right, bool is_signed) {
  llvm::Type* doubles = lane_type(getDoubleTy());
  llvm::Value* numerator = is_signed ? CreateSIToFP(left, doubles) : CreateUIToFP(left, doubles);
  llvm::Value* denominator =
      is_signed ? CreateSIToFP(right, doubles) : CreateUIToFP(right, doubles);
  llvm::Value* quotient = CreateFDiv(numerator, denominator);
  // Through 64 bits: the quotient of the smallest number and -1 does not fit into its type.
  llvm::Type* wide = lane_type(getInt64Ty());
  llvm::Value* whole = is_signed ? CreateFPToSI(quotient, wide) : CreateFPToUI(quotient, wide);
  return CreateTrunc(whole, left->getType());
}

// No lane may trap, nor may LLVM think that one does: it divides by the arms of a select one by
// one, and takes a vector with a single 0 in it for a mistake as a whole.
llvm::Value* LaneBuilder::divide_wide(llvm::Value* left, llvm::Value* right, llvm::Value* mask,
                                      bool is_signed) {
  llvm::Type* type = left->getType();
  llvm::Constant* one = llvm::ConstantInt::get(type->getScalarType(), 1);
  llvm::Value* ones = splat(one);
  llvm::Value* divisor = CreateSelect(CreateIsNull(right), ones, right);
  if (!is_signed) return CreateUDiv(left, fill_inactive(mask, divisor, one));
  llvm::Value* negates = CreateICmpEQ(right, llvm::Constant::getAllOnesValue(type));
  divisor = fill_inactive(mask, CreateSelect(negates, ones, divisor), one);
  return CreateSelect(negates, CreateNeg(left), CreateSDiv(left, divisor));
}

llvm::Value* LaneBuilder::divide(llvm::Instruction::BinaryOps operation, llvm::Value* left,
                                 llvm::Value* right, llvm::Value* mask) {
  llvm::Type* type = left->getType();
  bool is_signed = operation == llvm::Instruction::SDiv || operation == llvm::Instruction::SRem;
  bool is_remainder = operation == llvm::Instruction::URem || operation == llvm::Instruction::SRem;
  // LLVM multiplies by the inverse of a constant; 0 and -1 are the ones that trap.
  const auto* constant = llvm::dyn_cast<llvm::Constant>(right);
  const llvm::Constant* each = constant ? constant->getSplatValue() : nullptr;
  if (each && !each->isNullValue() && !each->isAllOnesValue()) {
    return CreateBinOp(operation, left, right);
  }
  llvm::Value* quotient = type->getScalarSizeInBits() <= 32
                              ? divide_as_double(left, right, is_signed)
                              : divide_wide(left, right, mask, is_signed);
  return is_remainder ? CreateSub(left, CreateMul(quotient, right)) : quotient;
}

}  // namespace assay::codegen
