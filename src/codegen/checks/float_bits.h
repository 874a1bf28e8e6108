// Floats as bit patterns, in code that watches them.
#pragma once

#include <vector>

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

// All are i1, or vectors of them.
struct FloatVerdict {
  llvm::Value* is_wrong;
  llvm::Value* is_nan;
  llvm::Value* are_finite;  // the operands
};

// About an operation whose result is not finite: infinity out of finite numbers is wrong, and NaN
// out of what was none.
inline FloatVerdict judge_float(llvm::IRBuilder<>& builder, const CheckedFloat& checked) {
  const auto& [result, operands] = checked;
  llvm::Value* is_result_nan = is_word_nan(builder, result.words, *result.real);
  llvm::Value* are_finite = llvm::ConstantInt::getTrue(is_result_nan->getType());
  llvm::Value* are_numbers = are_finite;
  for (const auto& [words, real] : operands) {
    llvm::Value* is_finite = builder.CreateNot(is_word_not_finite(builder, words, *real));
    llvm::Value* is_number = builder.CreateNot(is_word_nan(builder, words, *real));
    are_finite = builder.CreateAnd(are_finite, is_finite);
    are_numbers = builder.CreateAnd(are_numbers, is_number);
  }
  llvm::Value* is_new_nan = builder.CreateAnd(is_result_nan, are_numbers);
  return {builder.CreateOr(are_finite, is_new_nan), is_result_nan, are_finite};
}

}  // namespace assay::codegen
