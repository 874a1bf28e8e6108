// VectorEmitter's part of checked builds: one call of the runtime for all lanes.
#include "codegen/vector/vector_emitter.h"

namespace assay::codegen {

void VectorEmitter::emit_check(llvm::CallInst& call, IntrinsicKind kind) {
  CheckContext context{.group = start_.context,
                       .mask = builder_.mask_bits(mask_),
                       .first_thread = start_.first_index};
  if (kind == IntrinsicKind::kCheckBarrier) {
    return emit_check_barrier(builder_, context, call.getArgOperand(0));
  }
  if (kind == IntrinsicKind::kCheckCondition) return emit_condition_check(call, context);
  if (kind == IntrinsicKind::kCheckSweep) return define(call, emit_sweep_check(call, context));
  llvm::Value* lanes = emit_access_check(call, context);
  bool is_uniform = divergence_.shape(&call).is_uniform();
  define(call, is_uniform
                   ? builder_.CreateIsNotNull(lanes)
                   : builder_.CreateBitCast(lanes, builder_.lane_type(builder_.getInt1Ty())));
}

// An array that a call of the runtime reads: all calls use the same ones.
llvm::AllocaInst* VectorEmitter::check_array(unsigned number, llvm::Value* words) {
  llvm::AllocaInst*& array = check_arrays_[number];
  if (!array) array = builder_.variable(words->getType(), "checked");
  builder_.CreateStore(words, array);
  return array;
}

// Addresses that the compiler could not foresee often lie in a row all the same.
LaneAddresses VectorEmitter::lane_addresses(llvm::Value* pointer, uint64_t bytes) {
  llvm::Type* word = builder_.getInt64Ty();
  Shape shape = shape_here(pointer);
  if (!shape.is_varying()) {
    return {.first = builder_.CreateFreeze(builder_.CreatePtrToInt(scalar(pointer), word)),
            .stride = shape.stride};
  }
  LaneAddresses addresses{.stride = static_cast<int64_t>(bytes)};
  addresses.each =
      builder_.CreateFreeze(builder_.CreatePtrToInt(vector(pointer), builder_.lane_type(word)));
  addresses.first = builder_.CreateExtractElement(addresses.each, uint64_t{0});
  llvm::Value* row =
      builder_.CreateAdd(builder_.splat(addresses.first), builder_.steps(word, addresses.stride));
  llvm::Value* is_elsewhere = builder_.CreateAnd(mask_, builder_.CreateICmpNE(addresses.each, row));
  addresses.is_row = builder_.CreateNot(builder_.any(is_elsewhere));
  return addresses;
}

// Checked code may not trust indices, so that most of its addresses differ in ways unknown to the
// compiler. To ask whether they lie in a row takes less time than a gather.
llvm::Value* VectorEmitter::load_checked(llvm::LoadInst& load) {
  llvm::Value* pointer = load.getPointerOperand();
  LaneAddresses addresses = lane_addresses(pointer, layout_.getTypeStoreSize(load.getType()));
  llvm::AllocaInst* result = builder_.variable(builder_.lane_type(load.getType()), "loaded");
  auto keep = [&](llvm::Value* value) { builder_.CreateStore(value, result); };
  builder_.if_else(
      addresses.is_row,
      [&] {
        llvm::Value* first = builder_.CreateIntToPtr(addresses.first, builder_.getPtrTy());
        keep(builder_.load_row(load.getType(), first, load.getAlign(), mask_));
      },
      [&] { keep(builder_.gather(load.getType(), vector(pointer), load.getAlign(), mask_)); });
  return builder_.CreateLoad(result->getAllocatedType(), result);
}

void VectorEmitter::store_checked(llvm::StoreInst& store, llvm::Value* value) {
  llvm::Value* pointer = store.getPointerOperand();
  LaneAddresses addresses =
      lane_addresses(pointer, layout_.getTypeStoreSize(store.getValueOperand()->getType()));
  builder_.if_else(
      addresses.is_row,
      [&] {
        llvm::Value* first = builder_.CreateIntToPtr(addresses.first, builder_.getPtrTy());
        builder_.store_row(value, first, store.getAlign(), mask_);
      },
      [&] { builder_.scatter(value, vector(pointer), store.getAlign(), mask_); });
}

llvm::Value* VectorEmitter::emit_access_check(llvm::CallInst& call, const CheckContext& context) {
  auto number = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
  const kernel::CheckSite& site = start_.checks->sites[number];
  LaneAddresses addresses = lane_addresses(call.getArgOperand(1), site.bytes);
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
  bool has_value = !known || !known->isZero();  // no values mean zeros
  llvm::Value* value = has_value ? vector(call.getArgOperand(2)) : nullptr;
  // Objects are arguments or variables of the threadgroup: the same for all threads.
  llvm::Value* object =
      builder_.CreatePtrToInt(scalar(call.getArgOperand(3)), builder_.getInt64Ty());
  auto emit = [&](const auto& emit_call) {
    CheckedAddress address{.first = addresses.first,
                           .stride = builder_.getInt64(static_cast<uint64_t>(addresses.stride))};
    if (addresses.each) {
      llvm::Value* none = llvm::ConstantPointerNull::get(builder_.getPtrTy());
      address.each = builder_.CreateSelect(addresses.is_row, none, check_array(0, addresses.each));
    }
    llvm::Value* values = value ? check_array(1, value) : nullptr;
    return emit_call(builder_, context, call.getArgOperand(0), address, values, object);
  };
  auto ask = [&] { return emit(emit_check_access); };
  if (!QuickCheck::knows(site)) return ask();
  return QuickCheck(builder_, context, mask_, site, call.getArgOperand(0), object)
      .emit(addresses, {.ask = ask, .tell = [&] { emit(emit_fine_access); }});
}

// Lanes that all go on at one distance, as far as that is known, need no arrays.
std::optional<CheckedLineSweep> VectorEmitter::find_line_sweep(llvm::CallInst& call) {
  const Shape shape = shape_here(call.getArgOperand(1));
  if (shape.is_varying() || !shape_here(call.getArgOperand(4)).is_uniform()) return std::nullopt;
  llvm::Value* words[3];
  for (unsigned i = 0; i < 3; ++i) {
    llvm::Value* pointer = call.getArgOperand(i + 1);
    const Shape other = shape_here(pointer);
    if (other.is_varying() || other.stride != shape.stride) return std::nullopt;
    words[i] = builder_.CreatePtrToInt(scalar(pointer), builder_.getInt64Ty());
  }
  return CheckedLineSweep{.first = words[0],
                          .second = words[1],
                          .last = words[2],
                          .rounds = scalar(call.getArgOperand(4)),
                          .stride = shape.stride};
}

llvm::Value* VectorEmitter::emit_sweep_check(llvm::CallInst& call, const CheckContext& context) {
  llvm::Value* object =
      builder_.CreatePtrToInt(scalar(call.getArgOperand(5)), builder_.getInt64Ty());
  if (std::optional<CheckedLineSweep> line = find_line_sweep(call)) {
    return emit_check_sweep(builder_, context, call.getArgOperand(0), *line, object);
  }
  llvm::Type* words = builder_.lane_type(builder_.getInt64Ty());
  auto addresses = [&](unsigned operand) {
    llvm::Value* pointers = vector(call.getArgOperand(operand));
    return check_array(operand - 1, builder_.CreatePtrToInt(pointers, words));
  };
  CheckedSweep sweep{.first = addresses(1),
                     .second = addresses(2),
                     .last = addresses(3),
                     .rounds = check_array(3, vector(call.getArgOperand(4)))};
  return emit_check_sweep(builder_, context, call.getArgOperand(0), sweep, object);
}

void VectorEmitter::emit_condition_check(llvm::CallInst& call, const CheckContext& context) {
  llvm::Value* wrong =
      builder_.CreateAnd(mask_, builder_.CreateFreeze(vector(call.getArgOperand(1))));
  llvm::Value* first = vector(call.getArgOperand(2));
  llvm::Value* second = vector(call.getArgOperand(3));
  builder_.if_else(
      builder_.any(wrong),
      [&] {
        llvm::Type* words = builder_.lane_type(builder_.getInt64Ty());
        llvm::AllocaInst* values = builder_.variable(llvm::ArrayType::get(words, 2), "values");
        builder_.CreateStore(first, values);
        builder_.CreateStore(second, builder_.CreateConstInBoundsGEP1_64(words, values, 1));
        CheckContext those = context;
        those.mask = builder_.mask_bits(wrong);
        emit_check_condition(builder_, those, call.getArgOperand(0), values);
      },
      [] {});
}

}  // namespace assay::codegen
