// Floats as bit patterns, in code that watches them.
#pragma once

#include <vector>

#include "kernel/checks.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// The pattern of a number as an integer of its size.
inline llvm::Value* to_word(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return builder.CreateBitCast(value, builder.getIntNTy(value->getType()->getScalarSizeInBits()));
}

// The pattern of a number of up to 64 bits in the low bits of an i64.
inline llvm::Value* to_bits(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return builder.CreateZExt(to_word(builder, value), builder.getInt64Ty());
}

// Those below look at bits: fast math would take for granted that there are no such numbers.
// `words` are integers, or vectors of them, that hold numbers of the type `real`.

// NaN or infinity.
inline llvm::Value* is_word_not_finite(llvm::IRBuilder<>& builder, llvm::Value* words,
                                       const llvm::Type& real) {
  llvm::APInt exponent = llvm::APFloat::getInf(real.getFltSemantics()).bitcastToAPInt();
  llvm::Value* mask = llvm::ConstantInt::get(words->getType(), exponent);
  return builder.CreateICmpEQ(builder.CreateAnd(words, mask), mask);
}

inline llvm::Value* is_word_nan(llvm::IRBuilder<>& builder, llvm::Value* words,
                                const llvm::Type& real) {
  llvm::APInt infinity = llvm::APFloat::getInf(real.getFltSemantics()).bitcastToAPInt();
  llvm::APInt sign = llvm::APInt::getSignedMaxValue(infinity.getBitWidth());
  llvm::Value* magnitude = builder.CreateAnd(words, llvm::ConstantInt::get(words->getType(), sign));
  return builder.CreateICmpUGT(magnitude, llvm::ConstantInt::get(words->getType(), infinity));
}

inline llvm::Value* is_not_finite(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return is_word_not_finite(builder, to_word(builder, value), *value->getType());
}

inline llvm::Value* is_nan(llvm::IRBuilder<>& builder, llvm::Value* value) {
  return is_word_nan(builder, to_word(builder, value), *value->getType());
}

// A number in an operation on floats.
struct FloatWords {
  llvm::Value* words;
  const llvm::Type* real;
};

struct CheckedFloat {
  FloatWords result;
  std::vector<FloatWords> operands;
};

// What each number is (kernel::kFloatClassBits), the result lowest: i16, or a vector of them.
inline llvm::Value* emit_float_classes(llvm::IRBuilder<>& builder, const CheckedFloat& checked) {
  llvm::Type* type = checked.result.words->getType()->getWithNewBitWidth(16);
  llvm::Value* classes = llvm::Constant::getNullValue(type);
  unsigned shift = 0;
  auto add = [&](llvm::Value* condition, uint32_t bit) {
    llvm::Value* yes = llvm::ConstantInt::get(type, uint64_t{bit} << shift);
    llvm::Value* no = llvm::Constant::getNullValue(type);
    classes = builder.CreateOr(classes, builder.CreateSelect(condition, yes, no));
  };
  auto add_number = [&](const FloatWords& number) {
    const auto& [words, real] = number;
    llvm::Value* zero = llvm::Constant::getNullValue(words->getType());
    add(is_word_not_finite(builder, words, *real), kernel::kFloatNotFinite);
    add(is_word_nan(builder, words, *real), kernel::kFloatNan);
    add(builder.CreateICmpSLT(words, zero), kernel::kFloatNegative);
    shift += kernel::kFloatClassBits;
  };
  add_number(checked.result);
  for (const FloatWords& operand : checked.operands) add_number(operand);
  return classes;
}

}  // namespace assay::codegen
