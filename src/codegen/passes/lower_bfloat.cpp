// One pass over each function in an order where operands come before their uses; a map holds the
// bits of every bfloat value.
#include "codegen/passes/lower_bfloat.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/Local.h"

namespace assay::codegen {
namespace {

bool is_bfloat(const llvm::Type* type) { return type->getScalarType()->isBFloatTy(); }

// `scalar` with as many elements as `shape`.
llvm::Type* with_shape(llvm::Type* scalar, llvm::Type* shape) {
  auto* vector = llvm::dyn_cast<llvm::VectorType>(shape);
  return vector ? llvm::VectorType::get(scalar, vector) : scalar;
}

llvm::Type* bits_type(llvm::Type* type) {
  return with_shape(llvm::Type::getInt16Ty(type->getContext()), type);
}

llvm::Type* lowered_type(llvm::Type* type) { return is_bfloat(type) ? bits_type(type) : type; }

llvm::FunctionType* lowered_type(llvm::FunctionType* type) {
  std::vector<llvm::Type*> parameters;
  for (llvm::Type* parameter : type->params()) parameters.push_back(lowered_type(parameter));
  return llvm::FunctionType::get(lowered_type(type->getReturnType()), parameters, type->isVarArg());
}

// Attributes that only floating-point values may have are dropped.
llvm::AttributeList lowered_attributes(llvm::AttributeList list, llvm::FunctionType* type) {
  llvm::LLVMContext& context = type->getContext();
  list = list.removeRetAttributes(context,
                                  llvm::AttributeFuncs::typeIncompatible(type->getReturnType()));
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    list = list.removeParamAttributes(
        context, i, llvm::AttributeFuncs::typeIncompatible(type->getParamType(i)));
  }
  return list;
}

bool touches_bfloat(const llvm::Instruction& instruction) {
  if (is_bfloat(instruction.getType())) return true;
  return llvm::any_of(instruction.operands(),
                      [](const llvm::Use& operand) { return is_bfloat(operand->getType()); });
}

class FunctionLowering {
 public:
  explicit FunctionLowering(llvm::LLVMContext& context) : builder_(context) {}

  void set_bits(llvm::Value* value, llvm::Value* bits) { bits_[value] = bits; }

  void run(llvm::Function& function) {
    std::vector<llvm::Instruction*> replaced;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal(&function)) {
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        if (!touches_bfloat(instruction)) continue;
        builder_.SetInsertPoint(&instruction);
        builder_.setFastMathFlags(llvm::isa<llvm::FPMathOperator>(instruction)
                                      ? instruction.getFastMathFlags()
                                      : llvm::FastMathFlags());
        if (lower(instruction)) replaced.push_back(&instruction);
      }
    }
    for (auto [old_phi, phi] : phis_) {
      for (unsigned i = 0; i < old_phi->getNumIncomingValues(); ++i) {
        llvm::BasicBlock* from = old_phi->getIncomingBlock(i);
        builder_.SetInsertPoint(from->getTerminator());
        phi->addIncoming(bits(old_phi->getIncomingValue(i)), from);
      }
    }
    for (llvm::Instruction* instruction : replaced) instruction->dropAllReferences();
    for (llvm::Instruction* instruction : replaced) {
      instruction->replaceAllUsesWith(llvm::PoisonValue::get(instruction->getType()));
      instruction->eraseFromParent();
    }
  }

 private:
  llvm::Value* bits(llvm::Value* value) {
    if (llvm::Value* known = bits_.lookup(value)) return known;
    // Constants fold; results that cannot change type (parts of structs) are cast where they are.
    return builder_.CreateBitCast(value, bits_type(value->getType()));
  }

  // A bfloat is the upper half of a float.
  llvm::Value* to_float(llvm::Value* value) {
    llvm::Type* integer = with_shape(builder_.getInt32Ty(), value->getType());
    llvm::Value* wide = builder_.CreateShl(builder_.CreateZExt(bits(value), integer), 16);
    return builder_.CreateBitCast(wide, with_shape(builder_.getFloatTy(), value->getType()));
  }

  llvm::Value* round(llvm::Value* value) {
    llvm::Type* integer = with_shape(builder_.getInt32Ty(), value->getType());
    auto constant = [&](uint32_t number) { return llvm::ConstantInt::get(integer, number); };
    llvm::Value* bits = builder_.CreateBitCast(value, integer);
    llvm::Value* upper = builder_.CreateLShr(bits, 16);
    // Half a unit of the kept part, or just below it when that part is even.
    llvm::Value* odd = builder_.CreateAnd(upper, constant(1));
    llvm::Value* sum = builder_.CreateAdd(builder_.CreateAdd(bits, constant(0x7fff)), odd);
    llvm::Value* rounded = builder_.CreateLShr(sum, 16);
    llvm::Value* quiet = builder_.CreateOr(upper, constant(0x40));
    llvm::Value* magnitude = builder_.CreateAnd(bits, constant(0x7fffffff));
    llvm::Value* is_nan = builder_.CreateICmpUGT(magnitude, constant(0x7f800000));
    llvm::Value* chosen = builder_.CreateSelect(is_nan, quiet, rounded);
    return builder_.CreateTrunc(chosen, bits_type(value->getType()));
  }

  // `result` stands for `instruction` from now on, as bits if that is a bfloat.
  bool replace(llvm::Instruction& instruction, llvm::Value* result) {
    if (is_bfloat(instruction.getType())) {
      bits_[&instruction] = result;
    } else {
      instruction.replaceAllUsesWith(result);
    }
    return true;
  }

  // False when the instruction stays as it is.
  bool lower(llvm::Instruction& instruction) {
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
      return replace(instruction, lower_cast(*cast));
    }
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      llvm::Value* left = to_float(operation->getOperand(0));
      llvm::Value* right = to_float(operation->getOperand(1));
      return replace(instruction, round(builder_.CreateBinOp(operation->getOpcode(), left, right)));
    }
    if (auto* negate = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
      return replace(instruction, flip_sign(bits(negate->getOperand(0))));
    }
    if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction)) {
      llvm::Value* left = to_float(compare->getOperand(0));
      llvm::Value* right = to_float(compare->getOperand(1));
      return replace(instruction, builder_.CreateFCmp(compare->getPredicate(), left, right));
    }
    if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      return replace(instruction, lower_intrinsic(*call));
    }
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
      return replace(instruction, lower_call(*call));
    }
    return lower_move(instruction);
  }

  bool lower_move(llvm::Instruction& instruction) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      llvm::LoadInst* bits =
          builder_.CreateAlignedLoad(bits_type(load->getType()), load->getPointerOperand(),
                                     load->getAlign(), load->isVolatile());
      bits->setAtomic(load->getOrdering(), load->getSyncScopeID());
      return replace(instruction, bits);
    }
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      store->setOperand(0, bits(store->getValueOperand()));
      return false;
    }
    if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&instruction)) {
      llvm::PHINode* bits =
          builder_.CreatePHI(bits_type(phi->getType()), phi->getNumIncomingValues());
      phis_.emplace_back(phi, bits);
      return replace(instruction, bits);
    }
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
      return replace(instruction,
                     builder_.CreateSelect(select->getCondition(), bits(select->getTrueValue()),
                                           bits(select->getFalseValue())));
    }
    if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&instruction)) {
      return replace(instruction, builder_.CreateFreeze(bits(freeze->getOperand(0))));
    }
    if (auto* result = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
      result->setOperand(0, bits(result->getReturnValue()));
      return false;
    }
    return restore_operands(instruction);
  }

  // Parts of structs and vectors keep the type; their operands are cast back.
  bool restore_operands(llvm::Instruction& instruction) {
    for (llvm::Use& operand : instruction.operands()) {
      if (llvm::Value* known = bits_.lookup(operand.get())) {
        operand.set(builder_.CreateBitCast(known, operand->getType()));
      }
    }
    if (is_bfloat(instruction.getType())) {
      builder_.SetInsertPoint(instruction.getNextNode());
      bits_[&instruction] = builder_.CreateBitCast(&instruction, bits_type(instruction.getType()));
    }
    return false;
  }

  llvm::Value* lower_cast(llvm::CastInst& cast) {
    llvm::Value* source = cast.getOperand(0);
    llvm::Type* result = cast.getType();
    if (llvm::isa<llvm::BitCastInst>(cast)) {
      if (!is_bfloat(source->getType()))
        return builder_.CreateBitCast(source, lowered_type(result));
      return builder_.CreateBitCast(bits(source), lowered_type(result));
    }
    if (is_bfloat(source->getType())) {
      llvm::Value* wide = to_float(source);
      if (llvm::isa<llvm::FPExtInst>(cast)) return builder_.CreateFPExt(wide, result);
      return builder_.CreateCast(cast.getOpcode(), wide, result);
    }
    llvm::Type* wide_type = with_shape(builder_.getFloatTy(), result);
    if (llvm::isa<llvm::FPTruncInst>(cast)) return round(builder_.CreateFPTrunc(source, wide_type));
    return round(builder_.CreateCast(cast.getOpcode(), source, wide_type));
  }

  llvm::Value* flip_sign(llvm::Value* bits) {
    return builder_.CreateXor(bits, llvm::ConstantInt::get(bits->getType(), 0x8000));
  }

  // Sign manipulations are exact on the bits, also for NaNs.
  llvm::Value* lower_intrinsic(llvm::IntrinsicInst& call) {
    llvm::Intrinsic::ID id = call.getIntrinsicID();
    if (id == llvm::Intrinsic::fabs || id == llvm::Intrinsic::copysign) {
      llvm::Value* value = bits(call.getArgOperand(0));
      auto mask = [&](uint16_t number) { return llvm::ConstantInt::get(value->getType(), number); };
      llvm::Value* magnitude = builder_.CreateAnd(value, mask(0x7fff));
      if (id == llvm::Intrinsic::fabs) return magnitude;
      return builder_.CreateOr(magnitude,
                               builder_.CreateAnd(bits(call.getArgOperand(1)), mask(0x8000)));
    }
    std::vector<llvm::Value*> arguments;
    for (llvm::Value* argument : call.args()) {
      arguments.push_back(is_bfloat(argument->getType()) ? to_float(argument) : argument);
    }
    llvm::Type* result = call.getType();
    if (!is_bfloat(result)) return builder_.CreateIntrinsic(result, id, arguments);
    return round(
        builder_.CreateIntrinsic(with_shape(builder_.getFloatTy(), result), id, arguments));
  }

  llvm::Value* lower_call(llvm::CallInst& call) {
    std::vector<llvm::Value*> arguments;
    for (llvm::Value* argument : call.args()) {
      arguments.push_back(is_bfloat(argument->getType()) ? bits(argument) : argument);
    }
    llvm::FunctionType* type = lowered_type(call.getFunctionType());
    llvm::CallInst* lowered = builder_.CreateCall(type, call.getCalledOperand(), arguments);
    lowered->setAttributes(lowered_attributes(call.getAttributes(), type));
    return lowered;
  }

  llvm::IRBuilder<> builder_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> bits_;
  std::vector<std::pair<llvm::PHINode*, llvm::PHINode*>> phis_;
};

// A function with the body of `function` and i16 where that has bfloat; `function` itself when it
// has none. Callers still call it with the old type: opaque pointers allow that until their turn.
llvm::Function* lower_signature(llvm::Function& function, FunctionLowering& lowering) {
  llvm::FunctionType* type = lowered_type(function.getFunctionType());
  if (type == function.getFunctionType()) return &function;
  auto* lowered = llvm::Function::Create(type, function.getLinkage(), "", function.getParent());
  lowered->copyAttributesFrom(&function);
  lowered->setAttributes(lowered_attributes(function.getAttributes(), type));
  lowered->takeName(&function);
  lowered->splice(lowered->begin(), &function);
  for (auto [argument, bits] : llvm::zip(function.args(), lowered->args())) {
    bits.takeName(&argument);
    if (is_bfloat(argument.getType())) {
      lowering.set_bits(&argument, &bits);
    } else {
      argument.replaceAllUsesWith(&bits);
    }
  }
  function.replaceAllUsesWith(lowered);
  return lowered;
}

bool has_bfloat(llvm::Function& function) {
  if (lowered_type(function.getFunctionType()) != function.getFunctionType()) return true;
  return llvm::any_of(llvm::instructions(function), touches_bfloat);
}

}  // namespace

Result<void> lower_bfloat(KernelBuild& build) {
  std::vector<llvm::Function*> functions;
  for (llvm::Function& function : build.module) {
    if (!function.isDeclaration() && has_bfloat(function)) functions.push_back(&function);
  }
  for (llvm::Function* function : functions) {
    llvm::removeUnreachableBlocks(*function);
    FunctionLowering lowering(function->getContext());
    llvm::Function* lowered = lower_signature(*function, lowering);
    if (function == build.kernel) build.kernel = lowered;
    lowering.run(*lowered);
    if (lowered != function) function->eraseFromParent();
  }
  return {};
}

}  // namespace assay::codegen
