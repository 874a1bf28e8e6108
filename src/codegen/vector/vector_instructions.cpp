// The single instructions of VectorEmitter.
#include <optional>

#include "codegen/passes/thread_values.h"
#include "codegen/vector/cross_lane_emitter.h"
#include "codegen/vector/vector_emitter.h"
#include "fmt/format.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/LowerAtomic.h"

namespace assay::codegen {
namespace {

bool is_overflow_intrinsic(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::usub_with_overflow:
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::smul_with_overflow: return true;
    default: return false;
  }
}

bool has_no_effect(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && (call->isAssumeLikeIntrinsic() ||
                  call->getIntrinsicID() == llvm::Intrinsic::experimental_noalias_scope_decl);
}

}  // namespace

void VectorEmitter::emit_instruction(llvm::Instruction& instruction) {
  if (has_no_effect(instruction)) return;
  if (instruction.mayWriteToMemory()) row_loads_.clear();
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) return emit_load(*load);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) return emit_store(*store);
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) return emit_call(*call);
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    uint64_t bytes = layout_.getTypeAllocSize(variable->getAllocatedType()).getFixedValue();
    uint64_t stride = assumptions_.private_strides.lookup(variable);
    llvm::AllocaInst* lanes = builder_.variable(
        llvm::ArrayType::get(builder_.getInt8Ty(), std::max(bytes, stride) * kLanes), "private");
    lanes->setAlignment(llvm::Align(64));
    return define(instruction, lanes);
  }
  if (llvm::isa<llvm::FenceInst>(instruction)) {
    builder_.Insert(instruction.clone());
    return;
  }
  Shape shape = divergence_.shape(&instruction);
  if (!shape.is_varying()) return emit_scalar(instruction, shape);
  emit_vector(instruction);
}

// The same instruction on scalars. Lane 0 need not be active, so what its strided values overflow
// into must stay defined.
void VectorEmitter::emit_scalar(llvm::Instruction& instruction, Shape shape) {
  auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction);
  if (shape.is_strided() && cast) return define(instruction, extend_strided(*cast, shape));
  if (shape.is_strided() && instruction.getOpcode() == llvm::Instruction::Or) {
    // Active lanes have no bit in common with the other operand; lane 0 may have.
    return define(instruction, builder_.CreateAdd(scalar(instruction.getOperand(0)),
                                                  scalar(instruction.getOperand(1))));
  }
  llvm::Instruction* copy = instruction.clone();
  for (llvm::Use& operand : copy->operands()) operand.set(scalar(operand.get()));
  if (shape.is_strided()) copy->dropPoisonGeneratingFlags();
  if (instruction.hasMetadata(llvm::LLVMContext::MD_invariant_load)) {
    // What the group's threads share is read once, whatever they write.
    copy->dropUnknownNonDebugMetadata({llvm::LLVMContext::MD_invariant_load,
                                       llvm::LLVMContext::MD_dereferenceable,
                                       llvm::LLVMContext::MD_align});
  } else {
    copy->dropUnknownNonDebugMetadata();
  }
  builder_.Insert(copy);
  if (!copy->getType()->isVoidTy()) define(instruction, copy);
}

// Indices such as `i - 1` in a lane that is not active wrap to the far end of the range, and so
// does the scalar that stands for all lanes. Taken as the negative number it continues to, all
// other lanes have the right value.
llvm::Value* VectorEmitter::extend_strided(llvm::CastInst& cast, Shape shape) {
  llvm::Value* base = scalar(cast.getOperand(0));
  llvm::Type* type = cast.getDestTy();
  if (cast.getOpcode() != llvm::Instruction::ZExt) {
    return builder_.CreateCast(cast.getOpcode(), base, type);
  }
  llvm::Value* wide = builder_.CreateZExt(base, type);
  if (llvm::isa<llvm::CallInst>(cast.getOperand(0))) return wide;  // positions never wrap
  // Nor does what wraps in no lane, if lane 0 is one of them.
  auto* sum = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(cast.getOperand(0));
  if (sum && sum->hasNoUnsignedWrap() && is_all_lanes(mask_)) return wide;
  unsigned bits = base->getType()->getIntegerBitWidth();
  auto last_step = static_cast<uint64_t>(shape.stride) * (kLanes - 1);
  llvm::Value* highest =
      llvm::ConstantInt::get(base->getType(), llvm::APInt::getMaxValue(bits) - last_step);
  llvm::Value* wraps = builder_.CreateICmpUGT(base, highest);
  llvm::Value* range =
      llvm::ConstantInt::get(type, llvm::APInt::getOneBitSet(type->getIntegerBitWidth(), bits));
  llvm::Value* zero = llvm::ConstantInt::get(type, 0);
  return builder_.CreateSub(wide, builder_.CreateSelect(wraps, range, zero));
}

void VectorEmitter::emit_vector(llvm::Instruction& instruction) {
  auto operand = [&](unsigned i) { return vector(instruction.getOperand(i)); };
  llvm::Value* result = nullptr;
  if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    if (binary->isIntDivRem()) {
      result = builder_.divide(binary->getOpcode(), operand(0), operand(1), mask_);
    } else {
      result = builder_.CreateBinOp(binary->getOpcode(), operand(0), operand(1));
    }
  } else if (auto* unary = llvm::dyn_cast<llvm::UnaryOperator>(&instruction)) {
    result = builder_.CreateUnOp(unary->getOpcode(), operand(0));
  } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    result = builder_.CreateCmp(compare->getPredicate(), operand(0), operand(1));
  } else if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    result =
        builder_.CreateCast(cast->getOpcode(), operand(0), builder_.lane_type(cast->getDestTy()));
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    bool is_uniform = shape_here(select->getCondition()).is_uniform();
    llvm::Value* condition =
        is_uniform ? scalar(select->getCondition()) : vector(select->getCondition());
    if (select->getType()->isStructTy()) return refuse("it selects between structs");
    result = builder_.CreateSelect(condition, operand(1), operand(2));
  } else if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    auto part = [&](llvm::Value* value) {
      return shape_here(value).is_uniform() ? scalar(value) : vector(value);
    };
    std::vector<llvm::Value*> indices;
    for (llvm::Value* index : address->indices()) indices.push_back(part(index));
    result = builder_.CreateGEP(address->getSourceElementType(), part(address->getPointerOperand()),
                                indices);
  } else if (llvm::isa<llvm::FreezeInst>(instruction)) {
    result = builder_.CreateFreeze(operand(0));
  } else if (auto* extract = llvm::dyn_cast<llvm::ExtractValueInst>(&instruction)) {
    result = builder_.CreateExtractValue(operand(0), extract->getIndices());
  } else if (auto* insert = llvm::dyn_cast<llvm::InsertValueInst>(&instruction)) {
    result = builder_.CreateInsertValue(operand(0), operand(1), insert->getIndices());
  } else {
    return emit_lane_by_lane(instruction);
  }
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(result);
      made && llvm::isa<llvm::FPMathOperator>(instruction) &&
      llvm::isa<llvm::FPMathOperator>(made)) {
    made->copyFastMathFlags(&instruction);
  }
  define(instruction, result);
}

std::optional<LaneBuilder::Ahead> VectorEmitter::find_ahead(const llvm::LoadInst& load) {
  // Processors fetch ahead by themselves, but not into the next page.
  constexpr LaneBuilder::Ahead kNextPage{4096, true};
  // What comes in the time that memory takes; where a threadgroup's loop is shorter, the next
  // threadgroup goes on behind it. With rows of 4 KiB to 256 KiB, 16 KiB are too few for long ones.
  constexpr LaneBuilder::Ahead kLatency{32768, false};
  // A few tiles of 32 floats; the first cache has few places for rows that are a power of two
  // apart.
  constexpr LaneBuilder::Ahead kNextTiles{512, false};
  if (ahead_loads_.sweeping.contains(&load)) return kNextPage;
  const llvm::PHINode* variable = ahead_loads_.leaping.lookup(&load);
  if (variable && !shape_here(variable).is_uniform()) return kLatency;
  if (ahead_loads_.tiles.contains(&load)) return kNextTiles;
  return {};
}

void VectorEmitter::emit_load(llvm::LoadInst& load) {
  Shape shape = shape_here(load.getPointerOperand());
  if (shape.is_uniform()) return emit_scalar(load, Shape::uniform());
  if (load.isAtomic() || load.isVolatile()) return emit_lane_by_lane(load);
  if (load.getType()->isStructTy()) return refuse("it loads whole structs");
  if (shape.is_strided()) {
    llvm::Value* address = scalar(load.getPointerOperand());
    if (const auto ahead = find_ahead(load)) builder_.read_ahead(address, shape.stride, *ahead);
    return define(
        load, builder_.load_strided(load.getType(), address, shape.stride, load.getAlign(), mask_));
  }
  if (auto found = row_addresses_.find(&load); found != row_addresses_.end()) {
    if (llvm::Value* value = emit_row_load(load, found->second)) return define(load, value);
  }
  llvm::Value* pointer = load.getPointerOperand();
  define(load, start_.checks
                   ? load_checked(load)
                   : builder_.gather(load.getType(), vector(pointer), load.getAlign(), mask_));
}

// Where lanes write to the same place the last one wins.
void VectorEmitter::emit_store(llvm::StoreInst& store) {
  Shape shape = shape_here(store.getPointerOperand());
  Shape value_shape = shape_here(store.getValueOperand());
  if (shape.is_uniform() && value_shape.is_uniform()) return emit_scalar(store, Shape::uniform());
  if (store.getValueOperand()->getType()->isStructTy()) return refuse("it stores whole structs");
  if (shape.is_uniform()) {
    llvm::Value* bits = builder_.mask_bits(mask_);
    llvm::Value* unused =
        builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder_.getTrue());
    llvm::Value* last =
        builder_.CreateSub(llvm::ConstantInt::get(bits->getType(), kLanes - 1), unused);
    auto* copy = llvm::cast<llvm::StoreInst>(store.clone());
    copy->dropUnknownNonDebugMetadata();
    copy->setOperand(0, builder_.CreateExtractElement(vector(store.getValueOperand()), last));
    copy->setOperand(1, scalar(store.getPointerOperand()));
    builder_.Insert(copy);
    return;
  }
  if (store.isAtomic() || store.isVolatile()) return emit_lane_by_lane(store);
  llvm::Value* value = vector(store.getValueOperand());
  if (streams_ && streamed_stores_.contains(&store) && shape.is_strided()) {
    builder_.stream_strided(value, scalar(store.getPointerOperand()), shape.stride,
                            store.getAlign(), {.mask = mask_, .streams = streams_});
  } else if (shape.is_strided()) {
    builder_.store_strided(value, scalar(store.getPointerOperand()), shape.stride, store.getAlign(),
                           mask_);
  } else if (start_.checks) {
    store_checked(store, value);
  } else {
    builder_.scatter(value, vector(store.getPointerOperand()), store.getAlign(), mask_);
  }
}

void VectorEmitter::emit_call(llvm::CallInst& call) {
  if (std::optional<Intrinsic> intrinsic = find_intrinsic(call)) {
    return emit_assay_call(call, *intrinsic);
  }
  llvm::Function* callee = call.getCalledFunction();
  if (!callee) return refuse("it calls a function through a pointer");
  if (!callee->isIntrinsic()) {
    return refuse(fmt::format("it calls '{}', which is not part of its code",
                              std::string_view(callee->getName())));
  }
  Shape shape = divergence_.shape(&call);
  if (shape.is_uniform()) return emit_scalar(call, shape);
  auto& intrinsic = llvm::cast<llvm::IntrinsicInst>(call);
  if (llvm::Value* result = emit_vector_intrinsic(intrinsic)) return define(call, result);
  emit_lane_by_lane(call);
}

// Null when LLVM has no vector form.
llvm::Value* VectorEmitter::emit_vector_intrinsic(llvm::IntrinsicInst& call) {
  llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (is_overflow_intrinsic(id)) {
    llvm::Value* left = vector(call.getArgOperand(0));
    return builder_.CreateBinaryIntrinsic(id, left, vector(call.getArgOperand(1)));
  }
  if (!llvm::isTriviallyVectorizable(id)) return nullptr;
  llvm::SmallVector<llvm::Type*, 2> types;
  if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, -1)) {
    types.push_back(builder_.lane_type(call.getType()));
  }
  llvm::SmallVector<llvm::Value*, 4> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    bool stays_scalar = llvm::isVectorIntrinsicWithScalarOpAtArg(id, i);
    arguments.push_back(stays_scalar ? scalar(call.getArgOperand(i))
                                     : vector(call.getArgOperand(i)));
    if (llvm::isVectorIntrinsicWithOverloadTypeAtArg(id, static_cast<int>(i))) {
      types.push_back(arguments.back()->getType());
    }
  }
  llvm::CallInst* result = builder_.CreateIntrinsic(id, types, arguments);
  if (llvm::isa<llvm::FPMathOperator>(call)) result->copyFastMathFlags(&call);
  return result;
}

// An atomic update of memory that nobody else sees is one without a lock: the simdgroups of a
// threadgroup take turns on one host thread.
llvm::Value* VectorEmitter::insert_alone(llvm::Instruction* copy, bool is_alone) {
  if (!is_alone) return builder_.Insert(copy);
  auto* update = llvm::cast<llvm::AtomicRMWInst>(copy);
  llvm::Value* address = update->getPointerOperand();
  llvm::Value* old = builder_.CreateAlignedLoad(update->getType(), address, update->getAlign());
  llvm::Value* value =
      llvm::buildAtomicRMWValue(update->getOperation(), builder_, old, update->getValOperand());
  builder_.CreateAlignedStore(value, address, update->getAlign());
  update->deleteValue();
  return old;
}

void VectorEmitter::emit_lane_by_lane(llvm::Instruction& instruction) {
  // Operands come before the loop: what is loaded inside it would not be there behind it.
  std::vector<llvm::Value*> uniform(instruction.getNumOperands());
  std::vector<llvm::AllocaInst*> arrays(instruction.getNumOperands());
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    llvm::Value* operand = instruction.getOperand(i);
    if (operand->getType()->isStructTy()) return refuse("it passes structs by value");
    if (shape_here(operand).is_uniform()) {
      uniform[i] = scalar(operand);
    } else {
      arrays[i] = builder_.lane_array(vector(operand));
    }
  }
  llvm::Type* type = instruction.getType();
  std::vector<llvm::Type*> fields;
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    fields.assign(record->element_begin(), record->element_end());
  } else if (!type->isVoidTy()) {
    fields.push_back(type);
  }
  if (instruction.use_empty()) fields.clear();
  std::vector<llvm::AllocaInst*> results;
  for (llvm::Type* field : fields) {
    if (!llvm::VectorType::isValidElementType(field)) return refuse("it computes nested structs");
    // In memory every lane needs whole bytes.
    bool is_bit = field->isIntegerTy(1);
    results.push_back(
        builder_.variable(builder_.lane_type(is_bit ? builder_.getInt8Ty() : field), "result"));
  }
  auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction);
  bool is_alone = update && is_threadgroup_memory(update->getPointerOperand(), thread_);
  builder_.for_each_active(mask_, [&](llvm::Value* lane) {
    llvm::Instruction* copy = instruction.clone();
    copy->dropUnknownNonDebugMetadata();
    for (unsigned i = 0; i < copy->getNumOperands(); ++i) {
      llvm::Value* value = uniform[i];
      if (!value) {
        llvm::Type* element = instruction.getOperand(i)->getType();
        value = builder_.CreateLoad(element, builder_.lane_element(arrays[i], element, lane));
      }
      copy->setOperand(i, value);
    }
    llvm::Value* made = insert_alone(copy, is_alone);
    for (unsigned i = 0; i < fields.size(); ++i) {
      llvm::Value* field = type->isStructTy() ? builder_.CreateExtractValue(made, i) : made;
      if (field->getType()->isIntegerTy(1))
        field = builder_.CreateZExt(field, builder_.getInt8Ty());
      builder_.CreateStore(field, builder_.lane_element(results[i], field->getType(), lane));
    }
  });
  if (fields.empty()) return;
  llvm::Value* whole =
      type->isStructTy() ? llvm::PoisonValue::get(builder_.lane_type(type)) : nullptr;
  for (unsigned i = 0; i < fields.size(); ++i) {
    llvm::Value* lanes = builder_.CreateLoad(results[i]->getAllocatedType(), results[i]);
    if (fields[i]->isIntegerTy(1)) lanes = builder_.CreateIsNotNull(lanes);
    whole = whole ? builder_.CreateInsertValue(whole, lanes, i) : lanes;
  }
  define(instruction, whole);
}

void VectorEmitter::emit_assay_call(llvm::CallInst& call, const Intrinsic& intrinsic) {
  CrossLaneEmitter cross_lane(builder_, mask_);
  switch (intrinsic.kind) {
    case IntrinsicKind::kLane: return define(call, builder_.getInt32(0));
    case IntrinsicKind::kThreadIndex: return define(call, start_.first_index);
    case IntrinsicKind::kThreadPosition: {
      auto* axis = llvm::cast<llvm::ConstantInt>(call.getArgOperand(0));
      return define(call, start_.position[axis->getZExtValue()]);
    }
    case IntrinsicKind::kThreadgroupBarrier:
    case IntrinsicKind::kYield:
    case IntrinsicKind::kLoopHeld: return emit_scalar(call, Shape::uniform());
    case IntrinsicKind::kSimdgroupBarrier:
    case IntrinsicKind::kLoopRound: return;  // lanes are together anyway
    case IntrinsicKind::kBallot:
      return define(call, cross_lane.ballot(vector(call.getArgOperand(0))));
    case IntrinsicKind::kShuffle: {
      llvm::Value* source = call.getArgOperand(1);
      llvm::Value* value = vector(call.getArgOperand(0));
      if (shape_here(source).is_uniform()) {
        return define(call, cross_lane.broadcast(value, scalar(source)));
      }
      return define(call, cross_lane.shuffle(value, vector(source)));
    }
    case IntrinsicKind::kReduce:
    case IntrinsicKind::kScan: {
      auto* cluster = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
      if (!cluster) return refuse("the width of a reduction is not constant");
      auto width = static_cast<unsigned>(cluster->getZExtValue());
      llvm::Value* value = vector(call.getArgOperand(0));
      if (intrinsic.kind == IntrinsicKind::kReduce) {
        return define(call, cross_lane.reduce(intrinsic, value, width));
      }
      auto* inclusive = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2));
      if (!inclusive) return refuse("the kind of a prefix sum is not constant");
      return define(call, cross_lane.scan(intrinsic, value, width, !inclusive->isZero()));
    }
    case IntrinsicKind::kMatrixProduct: return emit_matrix_product(call);
    case IntrinsicKind::kCheckAccess:
    case IntrinsicKind::kCheckSweep:
    case IntrinsicKind::kCheckCondition:
    case IntrinsicKind::kCheckFloat:
    case IntrinsicKind::kCheckBarrier: return emit_check(call, intrinsic.kind);
    case IntrinsicKind::kPrint: return emit_print(call);
    case IntrinsicKind::kCheckFence:
    case IntrinsicKind::kMatrixMultiply:
    case IntrinsicKind::kCheckEarlyLoad:
    case IntrinsicKind::kSimdgroup:
    case IntrinsicKind::kThreadgroupMemory:
    case IntrinsicKind::kThreadgroupArena: return refuse("a pass before this one left work undone");
  }
}

}  // namespace assay::codegen
