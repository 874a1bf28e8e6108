// See index_wrap.h.
#include "codegen/checks/index_wrap.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Operator.h"

namespace assay::codegen {
namespace {

constexpr unsigned kMaxDepth = 6;

bool is_arithmetic(const llvm::Value* value) {
  const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (!operation) return false;
  switch (operation->getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul: return true;
    case llvm::Instruction::Shl: return llvm::isa<llvm::ConstantInt>(operation->getOperand(1));
    default: return false;
  }
}

bool has_product(const llvm::Value* value, unsigned depth = 0) {
  if (depth == kMaxDepth || !is_arithmetic(value)) return false;
  const auto* operation = llvm::cast<llvm::BinaryOperator>(value);
  unsigned opcode = operation->getOpcode();
  if (opcode == llvm::Instruction::Mul || opcode == llvm::Instruction::Shl) return true;
  return has_product(operation->getOperand(0), depth + 1) ||
         has_product(operation->getOperand(1), depth + 1);
}

void collect(llvm::Value* value, std::vector<llvm::CastInst*>& found, unsigned depth) {
  if (depth == kMaxDepth) return;
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
    bool widens = llvm::isa<llvm::ZExtInst, llvm::SExtInst>(cast);
    if (widens && cast->getSrcTy()->getIntegerBitWidth() == 32 && has_product(cast->getOperand(0)))
      found.push_back(cast);
    return;
  }
  if (!is_arithmetic(value)) return;
  for (llvm::Value* operand : llvm::cast<llvm::Instruction>(value)->operands()) {
    collect(operand, found, depth + 1);
  }
}

// The exact number in 64 bits; operands of 32 bits, few enough of them multiplied, cannot overflow
// that in any index that matters.
llvm::Value* emit_exact(llvm::IRBuilder<>& builder, llvm::Value* value, bool is_signed,
                        unsigned depth = 0) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    return builder.getInt64(static_cast<uint64_t>(constant->getSExtValue()));
  }
  if (depth == kMaxDepth || !is_arithmetic(value)) {
    return is_signed ? builder.CreateSExt(value, builder.getInt64Ty())
                     : builder.CreateZExt(value, builder.getInt64Ty());
  }
  auto* operation = llvm::cast<llvm::BinaryOperator>(value);
  llvm::Value* left = emit_exact(builder, operation->getOperand(0), is_signed, depth + 1);
  if (operation->getOpcode() == llvm::Instruction::Shl) {
    auto* amount = llvm::cast<llvm::ConstantInt>(operation->getOperand(1));
    return builder.CreateShl(left, amount->getZExtValue());
  }
  llvm::Value* right = emit_exact(builder, operation->getOperand(1), is_signed, depth + 1);
  return builder.CreateBinOp(operation->getOpcode(), left, right);
}

}  // namespace

std::vector<llvm::CastInst*> find_widened_products(llvm::Value* pointer) {
  std::vector<llvm::CastInst*> found;
  while (auto* address = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    for (llvm::Value* index : address->indices()) collect(index, found, 0);
    pointer = address->getPointerOperand();
  }
  return found;
}

ExactIndex emit_exact_index(llvm::CastInst& widened, llvm::Instruction* before) {
  llvm::IRBuilder<> builder(before);
  llvm::Value* number = widened.getOperand(0);
  llvm::Value* without_sign = emit_exact(builder, number, /*is_signed=*/false);
  llvm::Value* with_sign = emit_exact(builder, number, /*is_signed=*/true);
  llvm::Value* has_wrapped = builder.CreateAnd(builder.CreateICmpNE(without_sign, &widened),
                                               builder.CreateICmpNE(with_sign, &widened));
  return {has_wrapped, with_sign};
}

}  // namespace assay::codegen
