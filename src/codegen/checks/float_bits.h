// Floats as bit patterns, in code that watches them.
#pragma once

#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// The pattern of a number of up to 64 bits in the low bits of an i64.
inline llvm::Value* to_bits(llvm::IRBuilder<>& builder, llvm::Value* value) {
  unsigned bits = value->getType()->getScalarSizeInBits();
  return builder.CreateZExt(builder.CreateBitCast(value, builder.getIntNTy(bits)),
                            builder.getInt64Ty());
}

// The two below look at bits: fast math would take for granted that there are no such numbers.

// NaN or infinity.
inline llvm::Value* is_not_finite(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  unsigned bits = type->getScalarSizeInBits();
  llvm::Value* word = builder.CreateBitCast(value, builder.getIntNTy(bits));
  llvm::APInt exponent = llvm::APFloat::getInf(type->getFltSemantics()).bitcastToAPInt();
  llvm::Value* mask = llvm::ConstantInt::get(word->getType(), exponent);
  return builder.CreateICmpEQ(builder.CreateAnd(word, mask), mask);
}

inline llvm::Value* is_nan(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  unsigned bits = type->getScalarSizeInBits();
  llvm::Value* word = builder.CreateBitCast(value, builder.getIntNTy(bits));
  llvm::APInt infinity = llvm::APFloat::getInf(type->getFltSemantics()).bitcastToAPInt();
  llvm::Value* magnitude = builder.CreateAnd(
      word, llvm::ConstantInt::get(word->getType(), llvm::APInt::getSignedMaxValue(bits)));
  return builder.CreateICmpUGT(magnitude, llvm::ConstantInt::get(word->getType(), infinity));
}

}  // namespace assay::codegen
