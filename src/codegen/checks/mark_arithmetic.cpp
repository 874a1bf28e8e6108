// See mark_arithmetic.h.
#include "codegen/checks/mark_arithmetic.h"

#include "codegen/call_graph.h"
#include "codegen/checks/float_bits.h"
#include "codegen/checks/mark_missing_lanes.h"
#include "codegen/checks/source_place.h"
#include "codegen/intrinsics.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"

namespace assay::codegen {

using kernel::SiteKind;

namespace {

// Operators of vectors are functions of the library, but do what the user says.
bool is_users(const llvm::Function& function) {
  return !is_standard_library(function) || function.getSubprogram()->getName().contains("operator");
}

// Functions of one number know what they do on the way; those of vectors apply them to each
// element, which is as if the user did.
bool is_math_of_one_number(const llvm::Function& function) {
  return is_standard_library(function) &&
         function.getSubprogram()->getFilename().contains("metal_math_scalar");
}

// Infinity may be meant on the way to a finite result, such as exp in a sigmoid, but nobody means a
// sum in half to end at 65504: it counts whatever becomes of it.
bool is_sum_of_halves(const llvm::Instruction& operation) {
  if (!operation.getType()->isHalfTy()) return false;
  if (operation.getOpcode() == llvm::Instruction::FAdd) return true;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&operation);
  const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
  return callee && is_standard_library(*callee) &&
         callee->getSubprogram()->getName().contains("sum");
}

// Functions of the library that are given the number of a lane, last.
bool names_lane(const llvm::Function& function) {
  if (!is_standard_library(function) || function.arg_empty() ||
      !function.getArg(function.arg_size() - 1)->getType()->isIntegerTy()) {
    return false;
  }
  const llvm::StringRef name = function.getSubprogram()->getName().split('<').first;
  return name == "simd_shuffle" || name == "simd_broadcast";
}

// Lanes get something from each other's numbers.
bool exchanges(const llvm::Instruction& instruction) {
  const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
  if (!intrinsic) return false;
  return intrinsic->kind == IntrinsicKind::kShuffle || intrinsic->kind == IntrinsicKind::kReduce ||
         intrinsic->kind == IntrinsicKind::kScan;
}

// What the active lanes bring to an exchange, as masks (i32) of lanes.
struct Brought {
  llvm::Value* not_finite;
  llvm::Value* nan;
};

class Marker {
 public:
  explicit Marker(llvm::Module& module)
      : check_(declare_check_condition(module)),
        exchanging_(functions_reaching(callees_first(module), exchanges)) {}

  void mark(llvm::Instruction& instruction) {
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
      const bool is_integer_rule = operation->isIntDivRem() || operation->isShift();
      if (is_integer_rule && !is_users(*instruction.getFunction())) return;
      if (operation->isIntDivRem()) return mark_division(*operation);
      if (operation->isShift()) return mark_shift(*operation);
      if (operation->getType()->isFloatingPointTy()) {
        return mark_float(*operation, operation->operand_values());
      }
    }
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) return mark_cast(*cast);
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) mark_function(*call);
  }

 private:
  void mark_division(llvm::BinaryOperator& division) {
    llvm::Value* divisor = division.getOperand(1);
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
    if (constant && !constant->isZero()) return;
    llvm::IRBuilder<> builder(&division);
    divisor = builder.CreateFreeze(divisor);
    division.setOperand(1, divisor);
    emit(builder, SiteKind::kDivision, builder.CreateIsNull(divisor), division.getOperand(0),
         divisor);
  }

  // The front end cuts amounts to the width, as Metal's hardware does: the amount as written is
  // what goes into that.
  void mark_shift(llvm::BinaryOperator& shift) {
    llvm::Value* amount = shift.getOperand(1);
    unsigned bits = shift.getType()->getIntegerBitWidth();
    auto* cut = llvm::dyn_cast<llvm::BinaryOperator>(amount);
    if (cut && cut->getOpcode() == llvm::Instruction::And) {
      auto* mask = llvm::dyn_cast<llvm::ConstantInt>(cut->getOperand(1));
      if (mask && mask->equalsInt(bits - 1)) amount = cut->getOperand(0);
    }
    if (auto* known = llvm::dyn_cast<llvm::ConstantInt>(amount)) {
      if (known->getValue().ult(bits)) return;
    }
    llvm::IRBuilder<> builder(&shift);
    llvm::Value* limit = llvm::ConstantInt::get(amount->getType(), bits);
    emit(builder, SiteKind::kShift, builder.CreateICmpUGE(amount, limit),
         builder.CreateSExt(amount, builder.getInt64Ty()), builder.getInt64(bits));
  }

  void mark_cast(llvm::CastInst& cast) {
    switch (cast.getOpcode()) {
      case llvm::Instruction::FPTrunc: return mark_float(cast, cast.operand_values());
      case llvm::Instruction::UIToFP:
      case llvm::Instruction::SIToFP:
        // Other types reach further than any integer.
        if (cast.getType()->isHalfTy()) mark_float(cast, {});
        return;
      case llvm::Instruction::FPToUI:
      case llvm::Instruction::FPToSI: {
        // No integer is NaN or infinity: what is made of it here is used.
        llvm::IRBuilder<> builder(&cast);
        llvm::Value* real = cast.getOperand(0);
        emit(builder, SiteKind::kNotFiniteCast, is_not_finite(builder, real),
             to_bits(builder, real), is_nan(builder, real));
        return;
      }
      default: return;
    }
  }

  // Functions of the library, as the user calls them.
  void mark_function(llvm::CallInst& call) {
    const llvm::Function* callee = call.getCalledFunction();
    if (callee && names_lane(*callee)) mark_lane(call);
    if (!callee || !call.getType()->isFloatingPointTy() || call.arg_empty()) return;
    if (!callee->isIntrinsic() && !is_standard_library(*callee)) return;
    auto is_real = [](const llvm::Use& use) { return use->getType()->isFloatingPointTy(); };
    auto is_number = [&](const llvm::Use& use) {
      return is_real(use) || use->getType()->isIntegerTy();
    };
    if (!llvm::all_of(call.args(), is_number) || llvm::none_of(call.args(), is_real)) return;
    if (exchanging_.contains(callee)) return mark_exchange(call, *callee);
    mark_float(call, {call.arg_begin(), call.arg_end()});
  }

  // mark_missing_lanes follows what comes of it.
  void mark_lane(llvm::CallInst& call) {
    llvm::Value* lane = call.getArgOperand(call.arg_size() - 1);
    llvm::IRBuilder<> builder(&call);
    llvm::Value* last = llvm::ConstantInt::get(lane->getType(), kernel::kSimdgroupWidth - 1);
    emit(builder, SiteKind::kMissingLane, builder.CreateICmpUGT(lane, last), lane,
         builder.getInt64(kLaneAsWritten));
  }

  // NaN that comes out of an exchange has been made by the lane that brought it. Functions of the
  // library do that in several layers: the innermost one is watched.
  void mark_exchange(llvm::CallInst& call, const llvm::Function& callee) {
    const bool is_innermost = llvm::any_of(llvm::instructions(callee), exchanges);
    if (!is_innermost && !is_sum_of_halves(call)) return;
    const Brought brought = emit_brought(call);
    llvm::IRBuilder<> builder(call.getNextNode());
    builder.SetCurrentDebugLocation(call.getDebugLoc());
    llvm::Value* is_wrong = is_not_finite(builder, &call);
    llvm::Value* is_brought = builder.CreateIsNotNull(brought.not_finite);
    if (!is_innermost) {
      llvm::Value* is_made = builder.CreateAnd(is_wrong, builder.CreateNot(is_brought));
      return emit(builder, SiteKind::kNotFiniteStore, is_made, to_bits(builder, &call),
                  builder.getInt64(0));
    }
    emit(builder, SiteKind::kNotFiniteReceived, builder.CreateAnd(is_wrong, is_brought),
         brought.not_finite, is_nan(builder, &call));
    // One more operand stands for those of the other lanes.
    const llvm::fltSemantics& format = call.getType()->getFltSemantics();
    auto word = [&](const llvm::APFloat& number) {
      return builder.getInt(number.bitcastToAPInt());
    };
    llvm::Value* others = builder.CreateSelect(is_brought, word(llvm::APFloat::getInf(format)),
                                               word(llvm::APFloat::getZero(format)));
    others = builder.CreateSelect(builder.CreateIsNotNull(brought.nan),
                                  word(llvm::APFloat::getQNaN(format)), others);
    mark_result(builder, SiteKind::kNotFiniteExchange, call, {call.arg_begin(), call.arg_end()},
                others);
  }

  static Brought emit_brought(llvm::CallInst& call) {
    llvm::IRBuilder<> builder(&call);
    llvm::FunctionCallee ballot = declare_ballot(*call.getModule());
    auto ask = [&](auto& is_so) -> llvm::Value* {
      llvm::Value* any = builder.getFalse();
      for (llvm::Value* operand : call.args()) {
        if (!operand->getType()->isFloatingPointTy()) continue;
        any = builder.CreateOr(any, is_so(builder, operand));
      }
      return builder.CreateCall(ballot, {builder.CreateZExt(any, builder.getInt32Ty())});
    };
    return {.not_finite = ask(is_not_finite), .nan = ask(is_nan)};
  }

  // `others` is the pattern of one more operand, or null.
  static void mark_result(llvm::IRBuilder<>& builder, SiteKind kind, llvm::Instruction& operation,
                          const std::vector<llvm::Value*>& operands, llvm::Value* others) {
    std::vector<llvm::Type*> types;
    std::vector<llvm::Value*> words = {builder.getInt32(static_cast<uint32_t>(kind))};
    auto add = [&](llvm::Value* number) {
      if (!number->getType()->isFloatingPointTy()) return;
      types.push_back(number->getType());
      words.push_back(to_word(builder, number));
    };
    add(&operation);
    for (llvm::Value* operand : operands) add(operand);
    if (others) {
      types.push_back(operation.getType());
      words.push_back(others);
    }
    builder.CreateCall(declare_check_float(*operation.getModule(), types), words);
  }

  void mark_float(llvm::Instruction& operation, const std::vector<llvm::Value*>& operands) {
    llvm::IRBuilder<> builder(operation.getNextNode());
    builder.SetCurrentDebugLocation(operation.getDebugLoc());
    mark_result(builder, SiteKind::kNotFinite, operation, operands, nullptr);
    if (!is_sum_of_halves(operation)) return;
    llvm::Value* is_infinite = is_not_finite(builder, &operation);
    for (llvm::Value* operand : operands) {
      llvm::Value* is_finite = builder.CreateNot(is_not_finite(builder, operand));
      is_infinite = builder.CreateAnd(is_infinite, is_finite);
    }
    emit(builder, SiteKind::kNotFiniteStore, is_infinite, to_bits(builder, &operation),
         builder.getInt64(0));
  }
  template <typename Range>
  void mark_float(llvm::Instruction& operation, const Range& operands) {
    mark_float(operation, std::vector<llvm::Value*>(operands.begin(), operands.end()));
  }

  void emit(llvm::IRBuilder<>& builder, SiteKind kind, llvm::Value* is_wrong, llvm::Value* first,
            llvm::Value* second) {
    auto widen = [&](llvm::Value* value) {
      return builder.CreateZExtOrTrunc(value, builder.getInt64Ty());
    };
    builder.CreateCall(check_, {builder.getInt32(static_cast<uint32_t>(kind)), is_wrong,
                                widen(first), widen(second)});
  }

  llvm::FunctionCallee check_;
  const FunctionSet exchanging_;
};

}  // namespace

Result<void> mark_arithmetic(KernelBuild& build) {
  std::vector<llvm::Instruction*> instructions;
  for (llvm::Function& function : build.module) {
    if (function.isDeclaration() || is_math_of_one_number(function)) continue;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      instructions.push_back(&instruction);
    }
  }
  for (llvm::Instruction* instruction : instructions) {
    // Whether indices wrap is what the checks are to find out; LLVM must not take it for granted.
    if (llvm::isa<llvm::OverflowingBinaryOperator>(instruction)) {
      instruction->dropPoisonGeneratingFlags();
    }
  }
  Marker marker(build.module);
  for (llvm::Instruction* instruction : instructions) marker.mark(*instruction);
  return {};
}

}  // namespace assay::codegen
