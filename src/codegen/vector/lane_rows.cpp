// Takes addresses apart: sums and products of uniform values and of what follows from the lane.
#include "codegen/vector/lane_rows.h"

#include <algorithm>

#include "codegen/intrinsics.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/ConstantFold.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace assay::codegen {
namespace {

constexpr unsigned kMaxDepth = 12;
constexpr unsigned kMaxRows = 8;

// Lane by lane the bits of an integer that depends on nothing but the lane.
using LaneConstants = std::array<llvm::Constant*, kLanes>;

std::optional<LaneConstants> fold_lanes(llvm::Value* value, unsigned depth) {
  LaneConstants result;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(value)) {
    result.fill(constant);
    return result;
  }
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth == 0 || !value->getType()->isIntegerTy()) return {};
  std::optional<Intrinsic> intrinsic = find_intrinsic(*instruction);
  if (intrinsic && intrinsic->kind == IntrinsicKind::kLane) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      result[lane] = llvm::ConstantInt::get(value->getType(), lane);
    }
    return result;
  }
  bool is_binary = llvm::isa<llvm::BinaryOperator>(instruction);
  if (!is_binary && !llvm::isa<llvm::ZExtInst, llvm::SExtInst, llvm::TruncInst>(instruction)) {
    return {};
  }
  std::vector<LaneConstants> operands;
  for (llvm::Value* operand : instruction->operands()) {
    std::optional<LaneConstants> folded = fold_lanes(operand, depth - 1);
    if (!folded) return {};
    operands.push_back(*folded);
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    llvm::Constant* folded =
        is_binary ? llvm::ConstantFoldBinaryInstruction(instruction->getOpcode(), operands[0][lane],
                                                        operands[1][lane])
                  : llvm::ConstantFoldCastInstruction(instruction->getOpcode(), operands[0][lane],
                                                      value->getType());
    if (!llvm::isa_and_nonnull<llvm::ConstantInt>(folded)) return {};
    result[lane] = folded;
  }
  return result;
}

// How a number gets 64 bits.
enum class Extension : uint8_t { kNone, kSigned, kUnsigned };

class AddressReader {
 public:
  AddressReader(const llvm::BasicBlock& user, const Divergence& divergence)
      : user_(user), divergence_(divergence), layout_(user.getModule()->getDataLayout()) {}

  std::optional<LaneAddress> read(llvm::Value* pointer) {
    while (!is_uniform(pointer)) {
      auto* step = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
      if (!step || !add_step(*step)) return {};
      pointer = step->getPointerOperand();
    }
    address_.base = pointer;
    return address_;
  }

 private:
  bool is_uniform(const llvm::Value* value) const {
    return divergence_.shape_at(value, &user_).is_uniform() &&
           !divergence_.leaves_divergent_loop(value, &user_);
  }

  bool add_step(llvm::GetElementPtrInst& step) {
    llvm::MapVector<llvm::Value*, llvm::APInt> indices;
    llvm::APInt constant(64, 0);
    if (!step.collectOffset(layout_, 64, indices, constant)) return false;
    for (int64_t& offset : address_.offsets) offset += constant.getSExtValue();
    for (const auto& [index, bytes] : indices) {
      unsigned bits = index->getType()->getIntegerBitWidth();
      if (bits > 64) return false;
      Extension extension = bits < 64 ? Extension::kSigned : Extension::kNone;
      if (!add(index, extension, bytes.getSExtValue(), kMaxDepth)) return false;
    }
    return true;
  }

  // Adds `scale` times the value.
  bool add(llvm::Value* value, Extension extension, int64_t scale, unsigned depth) {
    if (std::optional<LaneConstants> lanes = fold_lanes(value, kMaxDepth)) {
      LaneNumbers numbers = to_numbers(*lanes, extension);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        address_.offsets[lane] += scale * numbers[lane];
      }
      return true;
    }
    if (is_uniform(value)) {
      LaneNumbers everywhere;
      everywhere.fill(scale);
      add_term(value, extension, everywhere);
      return true;
    }
    return depth > 0 && add_operation(value, extension, scale, depth);
  }

  bool add_operation(llvm::Value* value, Extension extension, int64_t scale, unsigned depth) {
    if (auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
      bool is_signed = cast->getOpcode() == llvm::Instruction::SExt;
      bool is_unsigned = cast->getOpcode() == llvm::Instruction::ZExt;
      if (extension != Extension::kNone || (!is_signed && !is_unsigned)) return false;
      return add(cast->getOperand(0), is_signed ? Extension::kSigned : Extension::kUnsigned, scale,
                 depth - 1);
    }
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation || !distributes(*operation, extension)) return false;
    llvm::Value* left = operation->getOperand(0);
    llvm::Value* right = operation->getOperand(1);
    switch (operation->getOpcode()) {
      case llvm::Instruction::Add:
      case llvm::Instruction::Or:
        return add(left, extension, scale, depth - 1) && add(right, extension, scale, depth - 1);
      case llvm::Instruction::Sub:
        return add(left, extension, scale, depth - 1) && add(right, extension, -scale, depth - 1);
      case llvm::Instruction::Mul:
        return add_product(left, right, extension, scale, depth) ||
               add_product(right, left, extension, scale, depth);
      case llvm::Instruction::Shl: {
        auto* bits = llvm::dyn_cast<llvm::ConstantInt>(right);
        if (!bits || bits->getValue().uge(32)) return false;
        return add(left, extension, scale << bits->getZExtValue(), depth - 1);
      }
      default: return false;
    }
  }

  // The extension of a result is that of its operands only where nothing wraps.
  static bool distributes(const llvm::BinaryOperator& operation, Extension extension) {
    if (operation.getOpcode() == llvm::Instruction::Or) {
      const auto* disjoint = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&operation);
      return disjoint && disjoint->isDisjoint();
    }
    if (extension == Extension::kNone) return true;
    if (!llvm::isa<llvm::OverflowingBinaryOperator>(operation)) return false;
    return extension == Extension::kSigned ? operation.hasNoSignedWrap()
                                           : operation.hasNoUnsignedWrap();
  }

  bool add_product(llvm::Value* lanes, llvm::Value* factor, Extension extension, int64_t scale,
                   unsigned depth) {
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(factor)) {
      return add(lanes, extension, scale * constant->getSExtValue(), depth - 1);
    }
    if (!is_uniform(factor)) return false;
    std::optional<LaneConstants> folded = fold_lanes(lanes, kMaxDepth);
    if (!folded) return false;
    LaneNumbers steps = to_numbers(*folded, extension);
    for (int64_t& step : steps) step *= scale;
    add_term(factor, extension, steps);
    return true;
  }

  void add_term(llvm::Value* factor, Extension extension, const LaneNumbers& steps) {
    LaneAddress::Factor key{factor, extension == Extension::kSigned};
    LaneNumbers& sum = address_.terms.try_emplace(key, LaneNumbers{}).first->second;
    for (unsigned lane = 0; lane < kLanes; ++lane) sum[lane] += steps[lane];
  }

  static LaneNumbers to_numbers(const LaneConstants& constants, Extension extension) {
    LaneNumbers numbers;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const llvm::APInt& bits = llvm::cast<llvm::ConstantInt>(constants[lane])->getValue();
      numbers[lane] = extension == Extension::kUnsigned ? static_cast<int64_t>(bits.getZExtValue())
                                                        : bits.getSExtValue();
    }
    return numbers;
  }

  const llvm::BasicBlock& user_;
  const Divergence& divergence_;
  const llvm::DataLayout& layout_;
  LaneAddress address_;
};

bool pays(const LaneAddress& address, int64_t element_bytes) {
  LaneRows rows = find_rows(address);
  if (rows.first_lanes.size() > kMaxRows) return false;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    int64_t distance = address.offsets[lane] - address.offsets[rows.first_lane(lane)];
    if (distance % element_bytes != 0) return false;
  }
  return true;
}

}  // namespace

LaneRows find_rows(const LaneAddress& address) {
  LaneRows rows;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto shares_row = [&](unsigned first) {
      int64_t distance = address.offsets[lane] - address.offsets[first];
      return std::abs(distance) < kMaxRowBytes &&
             llvm::all_of(
                 address.terms,
                 [&](const auto& term) { return term.second[lane] == term.second[first]; });
    };
    auto found = llvm::find_if(rows.first_lanes, shares_row);
    rows.row_of[lane] = static_cast<unsigned>(found - rows.first_lanes.begin());
    if (found == rows.first_lanes.end()) rows.first_lanes.push_back(lane);
  }
  return rows;
}

std::optional<LaneAddress> find_lane_address(llvm::Value* pointer, llvm::Type* element,
                                             const llvm::BasicBlock& user,
                                             const Divergence& divergence) {
  if (!llvm::VectorType::isValidElementType(element) || element->isPointerTy()) return {};
  const llvm::DataLayout& layout = user.getModule()->getDataLayout();
  std::optional<LaneAddress> address = AddressReader(user, divergence).read(pointer);
  auto bytes = static_cast<int64_t>(layout.getTypeStoreSize(element).getFixedValue());
  if (!address || !pays(*address, bytes)) return {};
  return address;
}

}  // namespace assay::codegen
