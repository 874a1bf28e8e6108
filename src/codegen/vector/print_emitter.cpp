// VectorEmitter's part of messages: one call of the runtime for each lane.
#include "codegen/passes/lower_prints.h"
#include "codegen/vector/vector_emitter.h"

namespace assay::codegen {

void VectorEmitter::emit_print(llvm::CallInst& call) {
  // Operands come before the loop: what is loaded inside it would not be there behind it.
  std::vector<llvm::Value*> uniform;
  std::vector<llvm::AllocaInst*> arrays;
  for (llvm::Value* operand : call.args()) {
    bool is_uniform = shape_here(operand).is_uniform();
    uniform.push_back(is_uniform ? scalar(operand) : nullptr);
    arrays.push_back(is_uniform ? nullptr : builder_.lane_array(vector(operand)));
  }
  builder_.for_each_active(mask_, [&](llvm::Value* lane) {
    std::vector<llvm::Value*> operands;
    for (unsigned i = 0; i < call.arg_size(); ++i) {
      llvm::Type* type = call.getArgOperand(i)->getType();
      operands.push_back(
          uniform[i] ? uniform[i]
                     : builder_.CreateLoad(type, builder_.lane_element(arrays[i], type, lane)));
    }
    llvm::Value* thread = builder_.CreateAdd(start_.first_index, lane);
    emit_runtime_print(builder_, start_.context, thread, operands);
  });
}

}  // namespace assay::codegen
