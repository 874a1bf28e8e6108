// Simdgroup operations on vectors. Gives the same bits as device/cpu's cross_lane.cpp, which says
// what each operation means.
#pragma once

#include <array>

#include "codegen/intrinsics.h"
#include "codegen/vector/lane_builder.h"

namespace assay::codegen {

class CrossLaneEmitter {
 public:
  CrossLaneEmitter(LaneBuilder& builder, llvm::Value* mask) : builder_(builder), mask_(mask) {}

  // i32, the same for all lanes.
  llvm::Value* ballot(llvm::Value* predicate);
  // `source` a lane number for all lanes, or one per lane.
  llvm::Value* broadcast(llvm::Value* value, llvm::Value* source);
  llvm::Value* shuffle(llvm::Value* value, llvm::Value* source);
  // Over the whole simdgroup a scalar, over clusters a vector.
  llvm::Value* reduce(const Intrinsic& how, llvm::Value* value, unsigned cluster);
  llvm::Value* scan(const Intrinsic& how, llvm::Value* value, unsigned cluster, bool inclusive);
  // Row-major elements of the matrix whose lanes hold `even` and `odd`; 0 for inactive lanes.
  llvm::Value* to_matrix(llvm::Value* even, llvm::Value* odd);
  // a, b, c, row-major → the lanes' even and odd elements of a b + c.
  std::array<llvm::Value*, 2> multiply_accumulate(const std::array<llvm::Value*, 3>& matrices);

 private:
  llvm::Value* combine(const Intrinsic& how, llvm::Value* low, llvm::Value* high);
  llvm::Value* pick(llvm::Value* value, const std::vector<int>& lanes);
  llvm::Value* pick_constant(llvm::Value* value, llvm::Constant* source);

  LaneBuilder& builder_;
  llvm::Value* mask_;
};

}  // namespace assay::codegen
