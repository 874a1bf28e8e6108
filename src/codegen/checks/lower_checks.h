// Turns assay.check.* into calls of the runtime.
#pragma once

#include "codegen/checks/float_bits.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// What is the same for all checks of a simdgroup or thread.
struct CheckContext {
  llvm::Value* group = nullptr;         // ptr, the GroupContext
  llvm::Value* mask = nullptr;          // i32, the lanes that are there
  llvm::Value* first_thread = nullptr;  // i32, index in the threadgroup of lane 0
};

// Addresses as the runtime wants them: lane 0's and a stride, or an array (ptr) of one per lane.
struct CheckedAddress {
  llvm::Value* first = nullptr;   // i64
  llvm::Value* stride = nullptr;  // i64
  llvm::Value* each = nullptr;    // ptr, may be null
};

// i32: the lanes that may go on. `values` is an array (ptr) of one i64 per lane.
llvm::Value* emit_check_access(llvm::IRBuilder<>& builder, const CheckContext& context,
                               llvm::Value* site, const CheckedAddress& address,
                               llvm::Value* values, llvm::Value* object);
// Only tells of an access that is fine.
void emit_fine_access(llvm::IRBuilder<>& builder, const CheckContext& context, llvm::Value* site,
                      const CheckedAddress& address, llvm::Value* values, llvm::Value* object);
// Arrays (ptr) of one i64 per lane; see kernel::LaneSweep.
struct CheckedSweep {
  llvm::Value* first = nullptr;
  llvm::Value* second = nullptr;
  llvm::Value* last = nullptr;
  llvm::Value* rounds = nullptr;
};

// i1: whether all lanes may go on.
llvm::Value* emit_check_sweep(llvm::IRBuilder<>& builder, const CheckContext& context,
                              llvm::Value* site, const CheckedSweep& sweep, llvm::Value* object);
// Words (i64) of lane 0, and the stride of all: see kernel::LineSweep.
struct CheckedLineSweep {
  llvm::Value* first = nullptr;
  llvm::Value* second = nullptr;
  llvm::Value* last = nullptr;
  llvm::Value* rounds = nullptr;
  int64_t stride = 0;
};
llvm::Value* emit_check_sweep(llvm::IRBuilder<>& builder, const CheckContext& context,
                              llvm::Value* site, const CheckedLineSweep& sweep,
                              llvm::Value* object);
// `values`: an array (ptr) of one i64 per lane, and another one behind it.
void emit_check_condition(llvm::IRBuilder<>& builder, const CheckContext& context,
                          llvm::Value* site, llvm::Value* values);
// The numbers of a kCheckFloat: its arguments but the first, as `value_of` gives them.
CheckedFloat checked_float(const llvm::CallInst& call,
                           llvm::function_ref<llvm::Value*(llvm::Value*)> value_of);
void emit_check_barrier(llvm::IRBuilder<>& builder, const CheckContext& context, llvm::Value* site);

// All checks of a function that is the code of one thread.
void lower_thread_checks(llvm::Function& function, llvm::Value* group, llvm::Value* thread_index);

}  // namespace assay::codegen
