// Rewrites instructions one by one; values of type bfloat keep their type between them.
#include "codegen/passes/lower_bfloat.h"

#include "fmt/format.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

bool is_bfloat(const llvm::Type* type) { return type->getScalarType()->isBFloatTy(); }

// `scalar` with as many elements as `shape`.
llvm::Type* with_shape(llvm::Type* scalar, llvm::Type* shape) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(shape);
  return vector ? llvm::VectorType::get(scalar, vector) : scalar;
}

class Lowering {
 public:
  explicit Lowering(llvm::Instruction& instruction) : builder_(&instruction) {
    builder_.setFastMathFlags(llvm::isa<llvm::FPMathOperator>(instruction)
                                  ? instruction.getFastMathFlags()
                                  : llvm::FastMathFlags());
  }

  llvm::IRBuilder<>& builder() { return builder_; }

  llvm::Value* bits(llvm::Value* value) {
    return builder_.CreateBitCast(value, with_shape(builder_.getInt16Ty(), value->getType()));
  }

  llvm::Value* from_bits(llvm::Value* bits) {
    return builder_.CreateBitCast(bits, with_shape(builder_.getBFloatTy(), bits->getType()));
  }

  // A bfloat is the upper half of a float.
  llvm::Value* to_float(llvm::Value* value) {
    llvm::Type* integer = with_shape(builder_.getInt32Ty(), value->getType());
    llvm::Value* wide = builder_.CreateShl(builder_.CreateZExt(bits(value), integer), 16);
    return builder_.CreateBitCast(wide, with_shape(builder_.getFloatTy(), value->getType()));
  }

  llvm::Value* round(llvm::Value* value) {
    llvm::Type* shape = value->getType();
    llvm::Type* integer = with_shape(builder_.getInt32Ty(), shape);
    auto constant = [&](uint32_t number) { return llvm::ConstantInt::get(integer, number); };
    llvm::Value* bits = builder_.CreateBitCast(value, integer);
    llvm::Value* upper = builder_.CreateLShr(bits, 16);
    // Half a unit, minus one in the last place of the float when the kept part is even.
    llvm::Value* odd = builder_.CreateAnd(upper, constant(1));
    llvm::Value* sum = builder_.CreateAdd(builder_.CreateAdd(bits, constant(0x7fff)), odd);
    llvm::Value* rounded = builder_.CreateLShr(sum, 16);
    llvm::Value* quiet = builder_.CreateOr(upper, constant(0x40));
    llvm::Value* magnitude = builder_.CreateAnd(bits, constant(0x7fffffff));
    llvm::Value* is_nan = builder_.CreateICmpUGT(magnitude, constant(0x7f800000));
    llvm::Value* chosen = builder_.CreateSelect(is_nan, quiet, rounded);
    return from_bits(builder_.CreateTrunc(chosen, with_shape(builder_.getInt16Ty(), shape)));
  }

  llvm::Value* widen(llvm::Value* value) {
    return is_bfloat(value->getType()) ? to_float(value) : value;
  }

 private:
  llvm::IRBuilder<> builder_;
};

llvm::Value* lower_cast(Lowering& lowering, llvm::CastInst& cast) {
  llvm::IRBuilder<>& builder = lowering.builder();
  llvm::Value* source = cast.getOperand(0);
  llvm::Type* result = cast.getType();
  if (llvm::isa<llvm::BitCastInst>(cast)) return nullptr;
  if (is_bfloat(source->getType())) {
    llvm::Value* wide = lowering.to_float(source);
    if (llvm::isa<llvm::FPExtInst>(cast)) return builder.CreateFPExt(wide, result);
    return builder.CreateCast(cast.getOpcode(), wide, result);
  }
  llvm::Type* wide_type = with_shape(builder.getFloatTy(), result);
  if (llvm::isa<llvm::FPTruncInst>(cast)) {
    return lowering.round(builder.CreateFPTrunc(source, wide_type));
  }
  return lowering.round(builder.CreateCast(cast.getOpcode(), source, wide_type));
}

// Sign manipulations are exact on the bits, also for NaNs.
llvm::Value* lower_sign(Lowering& lowering, llvm::Intrinsic::ID id, llvm::Value* value,
                        llvm::Value* sign) {
  llvm::IRBuilder<>& builder = lowering.builder();
  llvm::Value* bits = lowering.bits(value);
  auto constant = [&](uint16_t mask) { return llvm::ConstantInt::get(bits->getType(), mask); };
  llvm::Value* magnitude = builder.CreateAnd(bits, constant(0x7fff));
  if (id == llvm::Intrinsic::fabs) return lowering.from_bits(magnitude);
  llvm::Value* sign_bit = builder.CreateAnd(lowering.bits(sign), constant(0x8000));
  return lowering.from_bits(builder.CreateOr(magnitude, sign_bit));
}

llvm::Value* lower_intrinsic(Lowering& lowering, llvm::IntrinsicInst& call) {
  llvm::IRBuilder<>& builder = lowering.builder();
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (id == llvm::Intrinsic::fabs) {
    return lower_sign(lowering, id, call.getArgOperand(0), nullptr);
  }
  if (id == llvm::Intrinsic::copysign) {
    return lower_sign(lowering, id, call.getArgOperand(0), call.getArgOperand(1));
  }
  std::vector<llvm::Value*> arguments;
  for (llvm::Value* argument : call.args()) arguments.push_back(lowering.widen(argument));
  llvm::Type* result = call.getType();
  llvm::Type* wide = is_bfloat(result) ? with_shape(builder.getFloatTy(), result) : result;
  llvm::Value* value = builder.CreateIntrinsic(wide, id, arguments);
  return wide == result ? value : lowering.round(value);
}

// The replacement of `instruction`, or null when it stays.
llvm::Value* lower(llvm::Instruction& instruction) {
  Lowering lowering(instruction);
  llvm::IRBuilder<>& builder = lowering.builder();
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    return lower_cast(lowering, *cast);
  }
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    llvm::Value* left = lowering.to_float(operation->getOperand(0));
    llvm::Value* right = lowering.to_float(operation->getOperand(1));
    return lowering.round(builder.CreateBinOp(operation->getOpcode(), left, right));
  }
  if (auto* negate = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
    llvm::Value* bits = lowering.bits(negate->getOperand(0));
    llvm::Value* flipped = builder.CreateXor(bits, llvm::ConstantInt::get(bits->getType(), 0x8000));
    return lowering.from_bits(flipped);
  }
  if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
    return builder.CreateFCmp(compare->getPredicate(), lowering.to_float(compare->getOperand(0)),
                              lowering.to_float(compare->getOperand(1)));
  }
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    return lower_intrinsic(lowering, *call);
  }
  return nullptr;
}

bool touches_bfloat(const llvm::Instruction& instruction) {
  if (is_bfloat(instruction.getType())) return true;
  for (const llvm::Value* operand : instruction.operands()) {
    if (is_bfloat(operand->getType())) return true;
  }
  return false;
}

}  // namespace

Result<void> lower_bfloat(KernelBuild& build) {
  std::vector<llvm::Instruction*> found;
  for (llvm::Function& function : build.module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (touches_bfloat(instruction)) found.push_back(&instruction);
    }
  }
  for (llvm::Instruction* instruction : found) {
    llvm::Value* replacement = lower(*instruction);
    if (!replacement) continue;
    instruction->replaceAllUsesWith(replacement);
    if (llvm::isa<llvm::Instruction>(replacement)) replacement->takeName(instruction);
    instruction->eraseFromParent();
  }
  return {};
}

}  // namespace assay::codegen
