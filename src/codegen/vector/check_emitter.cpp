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
  if (kind == IntrinsicKind::kCheckFloat) return emit_float_check(call, context);
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
  return addresses;
}

llvm::Value* VectorEmitter::is_row(llvm::Value* addresses, uint64_t bytes, llvm::Value* mask) {
  llvm::Value* first = builder_.CreateExtractElement(addresses, uint64_t{0});
  llvm::Value* row = builder_.CreateAdd(
      builder_.splat(first), builder_.steps(builder_.getInt64Ty(), static_cast<int64_t>(bytes)));
  llvm::Value* is_elsewhere = builder_.CreateAnd(mask, builder_.CreateICmpNE(addresses, row));
  return builder_.CreateNot(builder_.any(is_elsewhere));
}

// `first` is what the lanes were compared with; null for sweeps, whose rounds have several.
void VectorEmitter::keep_row(const llvm::CallInst& check, llvm::Value* is_row, llvm::Value* first) {
  auto keep = [&](llvm::Value* value, const char* name) {
    llvm::AllocaInst* kept = builder_.variable(value->getType(), name);
    builder_.CreateStore(value, kept);
    return kept;
  };
  kept_rows_[&check] = {keep(is_row, "row"), first ? keep(first, "first") : nullptr};
}

// An access stands behind the branch on its check, or on that of all rounds of its loop, or on
// either. The check saw all lanes that come here; in a loop whose rounds are all fine, they go on
// at one pace, which lane 0 only keeps up with until it leaves.
void VectorEmitter::find_known_row(const llvm::Instruction& access, llvm::Value* pointer,
                                   LaneAddresses& addresses) {
  const KeptRow* of_access = nullptr;
  const KeptRow* of_sweep = nullptr;
  for (const llvm::BasicBlock* before : llvm::predecessors(access.getParent())) {
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(before->getTerminator());
    if (!branch || !branch->isConditional()) return;
    auto kept = kept_rows_.find(llvm::dyn_cast<llvm::CallInst>(branch->getCondition()));
    if (kept == kept_rows_.end() || branch->getSuccessor(0) != access.getParent()) return;
    if (kept->second.first) {
      if (of_access || kept->first->getArgOperand(1) != pointer) return;
      of_access = &kept->second;
    } else {
      if (of_sweep) return;
      of_sweep = &kept->second;
    }
  }
  auto load = [&](llvm::AllocaInst* kept) {
    return builder_.CreateLoad(kept->getAllocatedType(), kept);
  };
  if (of_sweep) {
    llvm::Value* has_first = builder_.CreateExtractElement(mask_, uint64_t{0});
    addresses.is_row = builder_.CreateAnd(load(of_sweep->is_row), has_first);
  }
  if (!of_access) return;
  llvm::Value* was_row = load(of_access->is_row);
  llvm::Value* first = load(of_access->first);
  // The kernel's code may need the check's answer in one block only, which this is not.
  llvm::Value* chosen = builder_.getFalse();
  if (of_sweep) chosen = load(of_sweep->is_fine);
  addresses.first = builder_.CreateSelect(chosen, addresses.first, first);
  addresses.is_row = of_sweep ? builder_.CreateSelect(chosen, addresses.is_row, was_row) : was_row;
}

LaneAddresses VectorEmitter::accessed_addresses(const llvm::Instruction& access,
                                                llvm::Value* pointer, llvm::Type* type) {
  const uint64_t bytes = layout_.getTypeStoreSize(type);
  LaneAddresses addresses = lane_addresses(pointer, bytes);
  find_known_row(access, pointer, addresses);
  if (!addresses.is_row) addresses.is_row = is_row(addresses.each, bytes, mask_);
  return addresses;
}

// Checked code may not trust indices, so that most of its addresses differ in ways unknown to the
// compiler. To ask whether they lie in a row takes less time than a gather.
llvm::Value* VectorEmitter::load_checked(llvm::LoadInst& load) {
  llvm::Value* pointer = load.getPointerOperand();
  const LaneAddresses addresses = accessed_addresses(load, pointer, load.getType());
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
  const LaneAddresses addresses =
      accessed_addresses(store, pointer, store.getValueOperand()->getType());
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
  if (addresses.each) {
    addresses.is_row = is_row(addresses.each, site.bytes, mask_);
    keep_row(call, addresses.is_row, addresses.first);
  }
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
    return builder_.CreatePtrToInt(vector(call.getArgOperand(operand)), words);
  };
  llvm::Value* first = builder_.CreateFreeze(addresses(1));
  llvm::Value* rounds = vector(call.getArgOperand(4));
  llvm::Value* comes_by = builder_.CreateAnd(mask_, builder_.CreateIsNotNull(rounds));
  auto number = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue();
  keep_row(call, is_row(first, start_.checks->sites[number].bytes, comes_by), nullptr);
  CheckedSweep sweep{.first = check_array(0, first),
                     .second = check_array(1, addresses(2)),
                     .last = check_array(2, addresses(3)),
                     .rounds = check_array(3, rounds)};
  llvm::Value* is_fine = emit_check_sweep(builder_, context, call.getArgOperand(0), sweep, object);
  llvm::AllocaInst*& kept = kept_rows_[&call].is_fine;
  kept = builder_.variable(is_fine->getType(), "fine");
  builder_.CreateStore(is_fine, kept);
  return is_fine;
}

void VectorEmitter::emit_condition_check(llvm::CallInst& call, const CheckContext& context) {
  llvm::Value* wrong =
      builder_.CreateAnd(mask_, builder_.CreateFreeze(vector(call.getArgOperand(1))));
  llvm::Value* first = vector(call.getArgOperand(2));
  llvm::Value* second = vector(call.getArgOperand(3));
  tell_condition(call, context, {wrong, first, second});
}

void VectorEmitter::tell_condition(llvm::CallInst& call, const CheckContext& context,
                                   const LaneCondition& condition) {
  builder_.if_else(
      builder_.any(condition.is_wrong),
      [&] {
        llvm::Type* words = builder_.lane_type(builder_.getInt64Ty());
        llvm::AllocaInst* values = builder_.variable(llvm::ArrayType::get(words, 2), "values");
        builder_.CreateStore(builder_.CreateZExt(condition.first, words), values);
        builder_.CreateStore(builder_.CreateZExt(condition.second, words),
                             builder_.CreateConstInBoundsGEP1_64(words, values, 1));
        CheckContext those = context;
        those.mask = builder_.mask_bits(condition.is_wrong);
        emit_check_condition(builder_, those, call.getArgOperand(0), values);
      },
      [] {});
}

// Most results are finite: what the operands were is only looked at behind one that is not.
void VectorEmitter::emit_float_check(llvm::CallInst& call, const CheckContext& context) {
  if (joined_floats_.is_left_to_other(call)) return;
  llvm::SmallVector<llvm::CallInst*, 4> calls = joined_floats_.made_by(call);
  calls.push_back(&call);
  std::vector<CheckedFloat> checks;
  for (const llvm::CallInst* each : calls) {
    checks.push_back(checked_float(
        *each, [&](llvm::Value* word) { return builder_.CreateFreeze(vector(word)); }));
  }
  auto suspects = [&](const CheckedFloat& checked) {
    const auto& [words, real] = checked.result;
    return builder_.CreateAnd(mask_, is_word_not_finite(builder_, words, *real));
  };
  auto judge = [&](llvm::CallInst& each, const CheckedFloat& checked) {
    llvm::Value* none = llvm::Constant::getNullValue(builder_.lane_type(builder_.getInt64Ty()));
    const LaneCondition condition{suspects(checked), emit_float_classes(builder_, checked), none};
    tell_condition(each, context, condition);
  };
  builder_.if_else(
      builder_.any(suspects(checks.back())),
      [&] {
        for (size_t i = 0; i < calls.size(); ++i) judge(*calls[i], checks[i]);
      },
      [] {});
}

}  // namespace assay::codegen
