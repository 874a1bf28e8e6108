// Shuffles in place of loops over lanes.
#include "codegen/vector/cross_lane_emitter.h"

#include "kernel/simdgroup_matrix.h"

namespace assay::codegen {

using kernel::Combine;
using kernel::Element;
using kernel::kMatrixSize;
using kernel::matrix_column;
using kernel::matrix_row;

namespace {

bool is_signed(Element element) { return element == Element::kInt32 || element == Element::kInt64; }

// What an inactive lane holds. For float sums -0.0: unlike +0.0 it changes no value.
llvm::Constant* identity(const Intrinsic& how, llvm::Type* type) {
  unsigned bits = type->getScalarSizeInBits();
  if (type->isFloatTy()) {
    switch (how.combine) {
      case Combine::kAdd: return llvm::ConstantFP::get(type, -0.0);
      case Combine::kMultiply: return llvm::ConstantFP::get(type, 1.0);
      case Combine::kMin: return llvm::ConstantFP::getInfinity(type);
      case Combine::kMax: return llvm::ConstantFP::getInfinity(type, /*Negative=*/true);
      default: return llvm::ConstantFP::get(type, 0.0);
    }
  }
  bool is_negative_possible = is_signed(how.element);
  switch (how.combine) {
    case Combine::kMultiply: return llvm::ConstantInt::get(type, 1);
    case Combine::kMin:
      return llvm::ConstantInt::get(type, is_negative_possible
                                              ? llvm::APInt::getSignedMaxValue(bits)
                                              : llvm::APInt::getMaxValue(bits));
    case Combine::kMax:
      return llvm::ConstantInt::get(type, is_negative_possible
                                              ? llvm::APInt::getSignedMinValue(bits)
                                              : llvm::APInt::getMinValue(bits));
    case Combine::kAnd: return llvm::Constant::getAllOnesValue(type);
    default: return llvm::ConstantInt::get(type, 0);
  }
}

}  // namespace

llvm::Value* CrossLaneEmitter::ballot(llvm::Value* predicate) {
  return builder_.mask_bits(builder_.CreateAnd(mask_, builder_.CreateIsNotNull(predicate)));
}

llvm::Value* CrossLaneEmitter::broadcast(llvm::Value* value, llvm::Value* source) {
  llvm::Value* lane = builder_.CreateAnd(source, builder_.getInt32(kLanes - 1));
  llvm::Value* everywhere = builder_.splat(builder_.CreateExtractElement(value, lane));
  llvm::Value* is_lane = builder_.CreateICmpULT(source, builder_.getInt32(kLanes));
  llvm::Value* is_active = builder_.CreateAnd(is_lane, builder_.CreateExtractElement(mask_, lane));
  return builder_.CreateSelect(is_active, everywhere, value);
}

llvm::Value* CrossLaneEmitter::pick(llvm::Value* value, const std::vector<int>& lanes) {
  return builder_.CreateShuffleVector(value, lanes);
}

// Sources that are known while compiling, such as lane ^ 4.
llvm::Value* CrossLaneEmitter::pick_constant(llvm::Value* value, llvm::Constant* source) {
  std::vector<int> lanes;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    auto* wanted = llvm::dyn_cast_or_null<llvm::ConstantInt>(source->getAggregateElement(lane));
    if (!wanted) return nullptr;
    bool exists = wanted->getValue().ult(kLanes);
    lanes.push_back(static_cast<int>(exists ? wanted->getZExtValue() : lane));
  }
  llvm::Value* is_active = pick(mask_, lanes);
  return builder_.CreateSelect(is_active, pick(value, lanes), value);
}

llvm::Value* CrossLaneEmitter::shuffle(llvm::Value* value, llvm::Value* source) {
  if (auto* constant = llvm::dyn_cast<llvm::Constant>(source)) {
    if (llvm::Value* picked = pick_constant(value, constant)) return picked;
  }
  llvm::Type* element = value->getType()->getScalarType();
  llvm::Value* exists = builder_.CreateICmpULT(source, builder_.splat(builder_.getInt32(kLanes)));
  // Through memory: x86 has no instruction for it that LLVM's IR could ask for.
  llvm::Value* own = builder_.steps(builder_.getInt32Ty(), 1);
  llvm::Value* lane = builder_.CreateSelect(exists, source, own);
  llvm::Value* bits = builder_.splat(builder_.mask_bits(mask_));
  llvm::Value* is_active = builder_.CreateTrunc(
      builder_.CreateLShr(bits, lane), llvm::FixedVectorType::get(builder_.getInt1Ty(), kLanes));
  llvm::AllocaInst* array = builder_.lane_array(value);
  llvm::Value* places = builder_.CreateGEP(element, array, lane);
  llvm::Align align = llvm::Align(element->getScalarSizeInBits() / 8);
  llvm::Value* picked = builder_.gather(element, places, align, mask_);
  return builder_.CreateSelect(is_active, picked, value);
}

llvm::Value* CrossLaneEmitter::combine(const Intrinsic& how, llvm::Value* low, llvm::Value* high) {
  bool is_float = low->getType()->isFPOrFPVectorTy();
  switch (how.combine) {
    case Combine::kAdd:
      return is_float ? builder_.CreateFAdd(low, high) : builder_.CreateAdd(low, high);
    case Combine::kMultiply:
      return is_float ? builder_.CreateFMul(low, high) : builder_.CreateMul(low, high);
    case Combine::kAnd: return builder_.CreateAnd(low, high);
    case Combine::kOr: return builder_.CreateOr(low, high);
    case Combine::kXor: return builder_.CreateXor(low, high);
    case Combine::kMin:
    case Combine::kMax: break;
  }
  bool is_min = how.combine == Combine::kMin;
  if (!is_float) {
    llvm::Intrinsic::ID id = is_signed(how.element)
                                 ? (is_min ? llvm::Intrinsic::smin : llvm::Intrinsic::smax)
                                 : (is_min ? llvm::Intrinsic::umin : llvm::Intrinsic::umax);
    return builder_.CreateBinaryIntrinsic(id, low, high);
  }
  // NaN in the lower lane yields the other; in the higher one no comparison holds.
  llvm::Value* takes_high =
      is_min ? builder_.CreateFCmpOLT(high, low) : builder_.CreateFCmpOLT(low, high);
  takes_high = builder_.CreateOr(takes_high, builder_.CreateFCmpUNO(low, low));
  return builder_.CreateSelect(takes_high, high, low);
}

// Halves that are combined are neighbours at the distance of half the cluster, then a quarter, …
llvm::Value* CrossLaneEmitter::reduce(const Intrinsic& how, llvm::Value* value, unsigned cluster) {
  llvm::Type* type = value->getType()->getScalarType();
  value = builder_.fill_inactive(mask_, value, identity(how, type));
  if (cluster == kLanes) {
    for (unsigned width = kLanes / 2; width > 0; width /= 2) {
      std::vector<int> low;
      std::vector<int> high;
      for (unsigned lane = 0; lane < width; ++lane) {
        low.push_back(static_cast<int>(lane));
        high.push_back(static_cast<int>(lane + width));
      }
      value = combine(how, pick(value, low), pick(value, high));
    }
    return builder_.CreateExtractElement(value, uint64_t{0});
  }
  for (unsigned offset = cluster / 2; offset > 0; offset /= 2) {
    std::vector<int> low;
    std::vector<int> high;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      low.push_back(static_cast<int>(lane & ~offset));
      high.push_back(static_cast<int>(lane | offset));
    }
    value = combine(how, pick(value, low), pick(value, high));
  }
  return value;
}

llvm::Value* CrossLaneEmitter::scan(const Intrinsic& how, llvm::Value* value, unsigned cluster,
                                    bool inclusive) {
  llvm::Type* type = value->getType()->getScalarType();
  llvm::Constant* neutral = identity(how, type);
  value = builder_.fill_inactive(mask_, value, neutral);
  // Lanes whose source lies in another cluster take the neutral element, element kLanes here.
  auto moved = [&](unsigned offset) {
    std::vector<int> lanes;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      bool stays = lane % cluster < offset;
      lanes.push_back(static_cast<int>(stays ? kLanes : lane - offset));
    }
    return builder_.CreateShuffleVector(value, builder_.splat(neutral), lanes);
  };
  for (unsigned offset = 1; offset < cluster; offset *= 2) {
    value = combine(how, moved(offset), value);
  }
  if (!inclusive) value = moved(1);
  // An empty sum is +0.0; nothing else changes when it is added.
  bool is_float_sum = type->isFloatTy() && how.combine == Combine::kAdd;
  if (is_float_sum)
    value = builder_.CreateFAdd(value, builder_.splat(llvm::ConstantFP::get(type, 0.0)));
  return value;
}

llvm::Value* CrossLaneEmitter::to_matrix(llvm::Value* even, llvm::Value* odd) {
  llvm::Constant* zero = llvm::ConstantFP::get(builder_.getFloatTy(), 0.0);
  even = builder_.fill_inactive(mask_, even, zero);
  odd = builder_.fill_inactive(mask_, odd, zero);
  std::vector<int> sources(kMatrixSize * kMatrixSize);
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unsigned place = matrix_row(lane) * kMatrixSize + matrix_column(lane);
    sources[place] = static_cast<int>(lane);
    sources[place + 1] = static_cast<int>(lane + kLanes);
  }
  return builder_.CreateShuffleVector(even, odd, sources);
}

std::array<llvm::Value*, 2> CrossLaneEmitter::multiply_accumulate(
    const std::array<llvm::Value*, 3>& matrices) {
  auto [a, b, d] = matrices;
  for (unsigned k = 0; k < kMatrixSize; ++k) {
    std::vector<int> column(kMatrixSize * kMatrixSize);
    std::vector<int> row(kMatrixSize * kMatrixSize);
    for (unsigned i = 0; i < column.size(); ++i) {
      column[i] = static_cast<int>(i / kMatrixSize * kMatrixSize + k);
      row[i] = static_cast<int>(k * kMatrixSize + i % kMatrixSize);
    }
    d = builder_.CreateIntrinsic(llvm::Intrinsic::fma, {d->getType()},
                                 {pick(a, column), pick(b, row), d});
  }
  std::array<llvm::Value*, 2> result;
  for (unsigned half = 0; half < 2; ++half) {
    std::vector<int> sources;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      sources.push_back(
          static_cast<int>(matrix_row(lane) * kMatrixSize + matrix_column(lane) + half));
    }
    result[half] = pick(d, sources);
  }
  return result;
}

}  // namespace assay::codegen
