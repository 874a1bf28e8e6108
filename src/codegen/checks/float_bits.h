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

// NaN or infinity, by its bits: fast math would take for granted that there is none.
inline llvm::Value* is_not_finite(llvm::IRBuilder<>& builder, llvm::Value* value) {
  llvm::Type* type = value->getType();
  unsigned bits = type->getScalarSizeInBits();
  llvm::Value* word = builder.CreateBitCast(value, builder.getIntNTy(bits));
  llvm::APInt exponent = llvm::APFloat::getInf(type->getFltSemantics()).bitcastToAPInt();
  llvm::Value* mask = llvm::ConstantInt::get(word->getType(), exponent);
  return builder.CreateICmpEQ(builder.CreateAnd(word, mask), mask);
}

}  // namespace assay::codegen
