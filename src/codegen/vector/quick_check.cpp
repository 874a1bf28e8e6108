// See quick_check.h.
#include "codegen/vector/quick_check.h"

#include <bit>

namespace assay::codegen {

using kernel::SiteKind;

namespace {

bool reads(SiteKind kind) {
  return kind == SiteKind::kLoad || kind == SiteKind::kAtomicLoad ||
         kind == SiteKind::kAtomicUpdate;
}

bool writes(SiteKind kind) {
  return kind == SiteKind::kStore || kind == SiteKind::kAtomicStore ||
         kind == SiteKind::kAtomicUpdate;
}

constexpr uint64_t kMaxElementBytes = 8;  // of flags that are an integer per lane

}  // namespace

// Blocks have padding, and places that could be anywhere have no one object.
bool QuickCheck::knows(const kernel::CheckSite& site) {
  const bool is_one_object = site.memory == kernel::SiteMemory::kBuffer ||
                             site.memory == kernel::SiteMemory::kThreadgroupArgument ||
                             site.memory == kernel::SiteMemory::kThreadgroupVariable;
  const bool is_variable = site.memory == kernel::SiteMemory::kThreadgroupVariable;
  if (is_variable && site.object_bytes < site.bytes) return false;
  const bool is_simple = reads(site.kind) || writes(site.kind) || site.kind == SiteKind::kEarlyLoad;
  return is_one_object && is_simple && site.bytes != 0 &&
         site.bytes <= kernel::QuickCheck::kMaxBytes && std::has_single_bit(site.bytes);
}

llvm::Value* QuickCheck::field(size_t offset) {
  return builder_.CreateLoad(builder_.getInt64Ty(), builder_.CreateConstInBoundsGEP1_64(
                                                        builder_.getInt8Ty(), entry_, offset));
}

llvm::Value* QuickCheck::is_inside(llvm::Value* address) {
  llvm::Value* offset = builder_.CreateSub(address, begin_);
  llvm::Value* inside = builder_.CreateICmpULE(offset, last_);
  if (site_.alignment <= 1) return inside;
  llvm::Value* low_bits = builder_.CreateAnd(address, builder_.getInt64(site_.alignment - 1));
  return builder_.CreateAnd(inside, builder_.CreateIsNull(low_bits));
}

// Of lanes at one distance the first and the last active one say it all: the others lie between.
llvm::Value* QuickCheck::is_inside(const LaneAddresses& addresses) {
  if (addresses.each != nullptr) {
    llvm::Value* offsets = builder_.CreateSub(addresses.each, builder_.splat(begin_));
    llvm::Value* is_wrong = builder_.CreateICmpUGT(offsets, builder_.splat(last_));
    if (site_.alignment > 1) {
      llvm::Value* low_bits = builder_.CreateAnd(
          addresses.each, builder_.splat(builder_.getInt64(site_.alignment - 1)));
      is_wrong = builder_.CreateOr(is_wrong, builder_.CreateIsNotNull(low_bits));
    }
    return builder_.CreateNot(builder_.any(builder_.CreateAnd(mask_, is_wrong)));
  }
  if (addresses.stride == 0) {
    return builder_.CreateAnd(builder_.CreateIsNotNull(context_.mask), is_inside(addresses.first));
  }
  auto lane_count = [&](llvm::Intrinsic::ID count) {
    llvm::Value* lanes = builder_.CreateBinaryIntrinsic(count, context_.mask, builder_.getFalse());
    return builder_.CreateZExt(lanes, builder_.getInt64Ty());
  };
  llvm::Value* stride = builder_.getInt64(static_cast<uint64_t>(addresses.stride));
  auto address_of = [&](llvm::Value* lane) {
    return builder_.CreateAdd(addresses.first, builder_.CreateMul(lane, stride));
  };
  llvm::Value* low = lane_count(llvm::Intrinsic::cttz);
  llvm::Value* high =
      builder_.CreateSub(builder_.getInt64(kLanes - 1), lane_count(llvm::Intrinsic::ctlz));
  return builder_.CreateAnd(is_inside(address_of(low)), is_inside(address_of(high)));
}

// Flags of one element, or of a row of them. Those of large elements are looked at only if no lane
// is missing.
llvm::Value* QuickCheck::may_look_at_values(const LaneAddresses& addresses) {
  if (addresses.stride == 0 && addresses.each == nullptr) return builder_.getTrue();
  if (addresses.stride != static_cast<int64_t>(site_.bytes)) return builder_.getFalse();
  llvm::Value* may = addresses.is_row ? addresses.is_row : builder_.getTrue();
  if (site_.bytes <= kMaxElementBytes) return may;
  llvm::Value* is_full = builder_.CreateICmpEQ(context_.mask, builder_.getInt32(~0U));
  return builder_.CreateAnd(may, is_full);
}

llvm::Type* QuickCheck::flags_type() const {
  return builder_.getIntNTy(static_cast<unsigned>(site_.bytes * 8));
}

llvm::Value* QuickCheck::flags_of(const LaneAddresses& addresses) {
  llvm::Value* flags = field(offsetof(kernel::QuickCheck, flags));
  return builder_.CreateIntToPtr(builder_.CreateAdd(flags, addresses.first), builder_.getPtrTy());
}

namespace {

// A flag per byte, each of them 1.
llvm::Constant* all_set(llvm::Type* type) {
  llvm::Type* element = type->getScalarType();
  llvm::APInt ones = llvm::APInt::getSplat(element->getIntegerBitWidth(), llvm::APInt(8, 1));
  return llvm::ConstantInt::get(type, ones);
}

}  // namespace

llvm::Value* QuickCheck::have_values(const LaneAddresses& addresses) {
  llvm::Type* type = flags_type();
  const llvm::Align align(1);
  llvm::Value* flags = flags_of(addresses);
  if (addresses.stride == 0) {
    return builder_.CreateICmpEQ(builder_.CreateAlignedLoad(type, flags, align), all_set(type));
  }
  if (site_.bytes > kMaxElementBytes) {
    auto count = static_cast<unsigned>(kLanes * site_.bytes / kMaxElementBytes);
    auto* words = llvm::FixedVectorType::get(builder_.getInt64Ty(), count);
    llvm::Value* all = builder_.CreateAndReduce(builder_.CreateAlignedLoad(words, flags, align));
    return builder_.CreateICmpEQ(all, all_set(builder_.getInt64Ty()));
  }
  llvm::Value* row = builder_.load_row(type, flags, align, mask_);
  llvm::Value* is_missing = builder_.CreateICmpNE(row, all_set(row->getType()));
  return builder_.CreateNot(builder_.any(builder_.CreateAnd(mask_, is_missing)));
}

void QuickCheck::note_values(const LaneAddresses& addresses) {
  llvm::Type* type = flags_type();
  const llvm::Align align(1);
  llvm::Value* flags = flags_of(addresses);
  if (addresses.stride == 0) {
    builder_.CreateAlignedStore(all_set(type), flags, align);
  } else if (site_.bytes > kMaxElementBytes) {
    auto count = static_cast<unsigned>(kLanes * site_.bytes / kMaxElementBytes);
    auto* words = llvm::FixedVectorType::get(builder_.getInt64Ty(), count);
    builder_.CreateAlignedStore(all_set(words), flags, align);
  } else {
    builder_.store_row(all_set(builder_.lane_type(type)), flags, align, mask_);
  }
}

llvm::BasicBlock* QuickCheck::create_block(const char* name) {
  return llvm::BasicBlock::Create(builder_.getContext(), name,
                                  builder_.GetInsertBlock()->getParent());
}

// The table knows where objects are that all threads have in common, but not each variable.
void QuickCheck::find_entry() {
  llvm::Value* table = builder_.CreateLoad(
      builder_.getPtrTy(),
      builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), context_.group,
                                          offsetof(kernel::GroupContext, quick_checks)));
  auto number = llvm::cast<llvm::ConstantInt>(site_number_)->getZExtValue();
  entry_ = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), table,
                                               number * sizeof(kernel::QuickCheck));
  duties_ = field(offsetof(kernel::QuickCheck, duties));
  const bool is_variable = site_.memory == kernel::SiteMemory::kThreadgroupVariable;
  begin_ = is_variable ? object_ : field(offsetof(kernel::QuickCheck, begin));
  last_ = is_variable ? builder_.getInt64(site_.object_bytes - site_.bytes)
                      : field(offsetof(kernel::QuickCheck, last));
}

llvm::Value* QuickCheck::has_duty(uint64_t duty) {
  return builder_.CreateIsNotNull(builder_.CreateAnd(duties_, builder_.getInt64(duty)));
}

// Goes on where it is, or to `ask`.
void QuickCheck::emit_values(const LaneAddresses& addresses, llvm::BasicBlock* ask) {
  llvm::BasicBlock* look = create_block("look");
  builder_.CreateCondBr(may_look_at_values(addresses), look, ask);
  builder_.SetInsertPoint(look);
  if (reads(site_.kind)) {
    llvm::Value* are_there = have_values(addresses);
    llvm::BasicBlock* there = create_block("there");
    builder_.CreateCondBr(are_there, there, ask);
    builder_.SetInsertPoint(there);
  }
  if (writes(site_.kind)) note_values(addresses);
}

llvm::Value* QuickCheck::emit(const LaneAddresses& addresses, const Calls& calls) {
  llvm::BasicBlock* inside = create_block("inside");
  llvm::BasicBlock* values = create_block("values");
  llvm::BasicBlock* fine = create_block("fine");
  llvm::BasicBlock* tell = create_block("tell");
  llvm::BasicBlock* go_on = create_block("go.on");
  llvm::BasicBlock* ask = create_block("ask");
  llvm::BasicBlock* after = create_block("checked");

  find_entry();
  llvm::Value* may_decide = has_duty(kernel::QuickCheck::kMayDecide);
  builder_.CreateCondBr(builder_.CreateAnd(may_decide, is_inside(addresses)), inside, ask);

  builder_.SetInsertPoint(inside);
  builder_.CreateCondBr(has_duty(kernel::QuickCheck::kLooksAtValues), values, fine);
  builder_.SetInsertPoint(values);
  emit_values(addresses, ask);
  builder_.CreateBr(fine);

  builder_.SetInsertPoint(fine);
  builder_.CreateCondBr(has_duty(kernel::QuickCheck::kTells), tell, go_on);
  builder_.SetInsertPoint(tell);
  calls.tell();
  builder_.CreateBr(go_on);
  builder_.SetInsertPoint(go_on);
  builder_.CreateBr(after);

  builder_.SetInsertPoint(ask);
  llvm::Value* answer = calls.ask();
  llvm::BasicBlock* answered = builder_.GetInsertBlock();
  builder_.CreateBr(after);

  builder_.SetInsertPoint(after);
  llvm::PHINode* lanes = builder_.CreatePHI(builder_.getInt32Ty(), 2);
  lanes->addIncoming(context_.mask, go_on);
  lanes->addIncoming(answer, answered);
  return lanes;
}

}  // namespace assay::codegen
