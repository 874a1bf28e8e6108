// Rewrites the code of one thread into code of one simdgroup.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/result.h"
#include "codegen/checks/lower_checks.h"
#include "codegen/intrinsics.h"
#include "codegen/vector/divergence.h"
#include "codegen/vector/joined_floats.h"
#include "codegen/vector/lane_builder.h"
#include "codegen/vector/lane_rows.h"
#include "codegen/vector/linear_plan.h"
#include "codegen/vector/quick_check.h"
#include "codegen/vector/read_ahead.h"
#include "codegen/vector/streamed_stores.h"

namespace assay::codegen {

// What differs from simdgroup to simdgroup, as values at the start of `function`.
struct SimdgroupStart {
  llvm::Function* function = nullptr;          // its entry block has no terminator yet
  llvm::Value* context = nullptr;              // takes the place of the thread code's argument
  llvm::Value* mask = nullptr;                 // of the threads that exist
  llvm::Value* first_index = nullptr;          // index in the threadgroup of lane 0's thread
  llvm::StringRef processor = {};              // that the code is for, by LLVM's name
  const kernel::CheckTable* checks = nullptr;  // of checked builds
  llvm::Value* parted = nullptr;               // where a byte is set if lanes part at a guard
  uint64_t instruction_limit = 0;              // of `function`, as the emitter leaves it
  // x, y, z: of shape strided or uniform a scalar (lane 0's), else a vector.
  std::array<llvm::Value*, 3> position = {};
};

// Values are scalars (uniform and strided shapes, see Shape) or vectors. A value that another block
// uses travels through a variable; these become values again afterwards (promote_variables), so no
// thought is given here to where a block's code ends up.
class VectorEmitter {
 public:
  VectorEmitter(llvm::Function& thread, const SimdgroupStart& start, LaneBuilder& builder,
                const std::vector<llvm::BasicBlock*>& order, const Divergence& divergence,
                const LinearPlan& plan, const LaneAssumptions& assumptions);

  // The reason in words when the code uses something that lanes cannot do together.
  Result<void> emit();

 private:
  void create_blocks();
  void create_slots();
  void create_slot(const llvm::Value* value, bool leaves);
  void find_row_loads();
  void load_streams();
  void stop_at_limit();
  void emit_block(llvm::BasicBlock& block);
  void emit_terminator(llvm::BasicBlock& block);
  void emit_uniform_branch(llvm::BasicBlock& block, const BlockPlan& plan);
  // At a guard: to one of `ways` with all lanes, or to an end that says that they part.
  void emit_guard(llvm::Value* condition, const std::array<llvm::BasicBlock*, 2>& ways);
  void emit_divergent_branch(llvm::BasicBlock& block, const BlockPlan& plan);
  // Sends lanes to both successors; the masks of those that go to each.
  std::array<llvm::Value*, 2> emit_parting(llvm::BasicBlock& block);
  void emit_loop_end(llvm::BasicBlock& block, const BlockPlan& plan);
  // Hands the lanes in `mask` over to `to`: their mask and the values of its phis.
  void emit_edge(llvm::BasicBlock& from, llvm::BasicBlock& to, llvm::Value* mask);

  void emit_instruction(llvm::Instruction& instruction);
  void emit_scalar(llvm::Instruction& instruction, Shape shape);
  void emit_vector(llvm::Instruction& instruction);
  // What to ask for at a load, for those behind it.
  std::optional<LaneBuilder::Ahead> find_ahead(const llvm::LoadInst& load);
  void emit_load(llvm::LoadInst& load);
  llvm::Value* emit_row_load(llvm::LoadInst& load, const LaneAddress& address);
  void emit_store(llvm::StoreInst& store);
  void emit_call(llvm::CallInst& call);
  void emit_assay_call(llvm::CallInst& call, const Intrinsic& intrinsic);
  void emit_matrix_product(llvm::CallInst& call);
  // Of checked builds.
  void emit_check(llvm::CallInst& call, IntrinsicKind kind);
  llvm::AllocaInst* check_array(unsigned number, llvm::Value* words);
  llvm::Value* is_row(llvm::Value* addresses, uint64_t bytes, llvm::Value* mask);
  LaneAddresses lane_addresses(llvm::Value* pointer, uint64_t bytes);
  LaneAddresses accessed_addresses(const llvm::Instruction& access, llvm::Value* pointer,
                                   llvm::Type* type);
  // Whether the lanes' addresses lie in a row, where the check of the access found that out.
  void find_known_row(const llvm::Instruction& access, llvm::Value* pointer,
                      LaneAddresses& addresses);
  void keep_row(const llvm::CallInst& check, llvm::Value* is_row, llvm::Value* first);
  llvm::Value* load_checked(llvm::LoadInst& load);
  void store_checked(llvm::StoreInst& store, llvm::Value* value);
  llvm::Value* emit_access_check(llvm::CallInst& call, const CheckContext& context);
  std::optional<CheckedLineSweep> find_line_sweep(llvm::CallInst& call);
  llvm::Value* emit_sweep_check(llvm::CallInst& call, const CheckContext& context);
  void emit_print(llvm::CallInst& call);
  void emit_condition_check(llvm::CallInst& call, const CheckContext& context);
  void emit_float_check(llvm::CallInst& call, const CheckContext& context);
  struct LaneCondition {
    llvm::Value* is_wrong;  // lanes of i1, active ones only
    llvm::Value* first;     // lanes of integers up to 64 bits
    llvm::Value* second;
  };
  void tell_condition(llvm::CallInst& call, const CheckContext& context,
                      const LaneCondition& condition);
  llvm::Value* matrix(llvm::Value* even, llvm::Value* odd);
  llvm::Value* emit_vector_intrinsic(llvm::IntrinsicInst& call);
  llvm::Value* extend_strided(llvm::CastInst& cast, Shape shape);
  // One lane after the other; for what has no vector form.
  void emit_lane_by_lane(llvm::Instruction& instruction);
  llvm::Value* insert_alone(llvm::Instruction* copy, bool is_alone);
  void refuse(const std::string& what);

  // The value in the current block.
  llvm::Value* scalar(llvm::Value* value);
  llvm::Value* vector(llvm::Value* value);
  llvm::Value* materialise(llvm::Value* base, Shape shape);
  void define(llvm::Instruction& instruction, llvm::Value* value);
  Shape shape_here(const llvm::Value* value) const { return divergence_.shape_at(value, current_); }

  llvm::Function& thread_;
  const SimdgroupStart& start_;
  LaneBuilder& builder_;
  const std::vector<llvm::BasicBlock*>& order_;
  const Divergence& divergence_;
  const LinearPlan& plan_;
  const LaneAssumptions& assumptions_;
  const llvm::DataLayout& layout_;
  const llvm::DenseSet<const llvm::StoreInst*> streamed_stores_;
  const AheadLoads ahead_loads_;
  llvm::DenseMap<const llvm::LoadInst*, LaneAddress> row_addresses_;  // see lane_rows.h
  const JoinedFloats joined_floats_;
  struct KeptRow {
    llvm::AllocaInst* is_row = nullptr;
    llvm::AllocaInst* first = nullptr;
    llvm::AllocaInst* is_fine = nullptr;  // of sweeps: what the check said
  };
  llvm::DenseMap<const llvm::CallInst*, KeptRow> kept_rows_;  // of checks
  llvm::Value* streams_ = nullptr;  // whether they go around the caches; null: never

  llvm::DenseMap<const llvm::BasicBlock*, llvm::BasicBlock*> blocks_;
  llvm::DenseMap<const llvm::BasicBlock*, llvm::AllocaInst*> mask_slots_;
  llvm::DenseMap<const llvm::Value*, llvm::AllocaInst*> slots_;       // for other blocks
  llvm::DenseMap<const llvm::Value*, llvm::AllocaInst*> exit_slots_;  // behind divergent loops
  llvm::DenseMap<const llvm::Value*, llvm::AllocaInst*> phi_slots_;
  // Values that every block may use as they are, such as the lane and what follows from it. They
  // must stay constants: shuffles that know their lanes are single instructions.
  llvm::DenseMap<const llvm::Value*, llvm::Constant*> constants_;
  // Of the current block.
  llvm::BasicBlock* current_ = nullptr;
  llvm::Value* mask_ = nullptr;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> values_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> vectors_;
  // Rows that were loaded since the last write to memory.
  struct RowLoad {
    const LaneAddress* address;
    LaneRows rows;
    llvm::Type* element;
    int64_t low;     // of a row's first element, in bytes from that of the row's first lane
    unsigned width;  // of a row, in elements
    llvm::Value* elements;
  };
  // Nothing when the rows cannot be loaded as a whole.
  std::optional<RowLoad> load_rows(llvm::LoadInst& load, const LaneAddress& address);
  std::optional<std::vector<int>> places_in(const RowLoad& rows, const LaneAddress& address) const;
  llvm::Value* row_start(const RowLoad& rows, unsigned row);
  std::vector<RowLoad> row_loads_;
  // Where vectors that were picked from loaded rows come from.
  struct Picked {
    llvm::Value* elements;
    std::vector<int> places;
  };
  llvm::DenseMap<const llvm::Value*, Picked> picked_;
  std::array<llvm::AllocaInst*, 4> check_arrays_ = {};
  std::string refusal_;
  uint64_t emitted_ = 0;  // instructions of the thread's code so far
};

}  // namespace assay::codegen
