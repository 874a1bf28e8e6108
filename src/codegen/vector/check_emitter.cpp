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
  define(call, is_uniform ? builder_.CreateIsNotNull(lanes)
                          : builder_.CreateBitCast(lanes, lane_type(builder_.getInt1Ty())));
}

llvm::Value* VectorEmitter::emit_access_check(llvm::CallInst& call, const CheckContext& context) {
  llvm::Value* pointer = call.getArgOperand(1);
  Shape shape = shape_here(pointer);
  CheckedAddress address;
  if (shape.is_varying()) {
    llvm::Type* words = lane_type(builder_.getInt64Ty());
    address.each = builder_.lane_array(builder_.CreatePtrToInt(vector(pointer), words));
  } else {
    address.first = builder_.CreatePtrToInt(scalar(pointer), builder_.getInt64Ty());
    address.stride = builder_.getInt64(static_cast<uint64_t>(shape.stride));
  }
  llvm::Value* value = call.getArgOperand(2);
  auto* known = llvm::dyn_cast<llvm::ConstantInt>(value);
  bool has_value = !known || !known->isZero();  // no values mean zeros
  llvm::Value* values = has_value ? builder_.lane_array(vector(value)) : nullptr;
  // Objects are arguments or variables of the threadgroup: the same for all threads.
  llvm::Value* object =
      builder_.CreatePtrToInt(scalar(call.getArgOperand(3)), builder_.getInt64Ty());
  return emit_check_access(builder_, context, call.getArgOperand(0), address, values, object);
}

llvm::Value* VectorEmitter::emit_sweep_check(llvm::CallInst& call, const CheckContext& context) {
  llvm::Type* words = lane_type(builder_.getInt64Ty());
  auto addresses = [&](unsigned operand) {
    llvm::Value* pointers = vector(call.getArgOperand(operand));
    return builder_.lane_array(builder_.CreatePtrToInt(pointers, words));
  };
  CheckedSweep sweep{.first = addresses(1),
                     .second = addresses(2),
                     .last = addresses(3),
                     .rounds = builder_.lane_array(vector(call.getArgOperand(4)))};
  llvm::Value* object =
      builder_.CreatePtrToInt(scalar(call.getArgOperand(5)), builder_.getInt64Ty());
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
        llvm::Type* words = lane_type(builder_.getInt64Ty());
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
