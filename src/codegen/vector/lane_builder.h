// Building blocks of code for many lanes at once: masks, spreading, loops over lanes, memory
// access.
#pragma once

#include <functional>

#include "kernel/cpu_abi.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

// Of a simdgroup, and what code takes at once.
inline constexpr unsigned kLanes = kernel::kSimdgroupWidth;

// Known while compiling.
inline bool is_all_lanes(llvm::Value* mask) {
  auto* known = llvm::dyn_cast<llvm::Constant>(mask);
  return known && known->isAllOnesValue();
}

// An IRBuilder with what lanes need. Vectors have an element per lane; a mask is one of i1 with the
// active lanes set.
class LaneBuilder : public llvm::IRBuilder<> {
 public:
  LaneBuilder(llvm::Function& function, llvm::TargetTransformInfo target);

  // Of 32 bits.
  unsigned lanes_per_register();
  // The type that holds a value per lane: vectors of scalars, structs of those. Null when there is
  // none.
  llvm::Type* lane_type(llvm::Type* type) const;

  llvm::Value* all_lanes() { return llvm::ConstantInt::getTrue(lane_type(getInt1Ty())); }
  llvm::Value* no_lanes() { return llvm::ConstantInt::getFalse(lane_type(getInt1Ty())); }
  // An integer with a bit for each lane.
  llvm::Value* mask_bits(llvm::Value* mask) { return CreateBitCast(mask, getIntNTy(kLanes)); }
  // At run time.
  llvm::Value* is_full(llvm::Value* mask) {
    return CreateICmpEQ(mask_bits(mask), llvm::Constant::getAllOnesValue(getIntNTy(kLanes)));
  }
  llvm::Value* any(llvm::Value* mask);

  llvm::Value* splat(llvm::Value* value);
  // 0, stride, 2 * stride, … in lanes of an integer type.
  llvm::Constant* steps(llvm::Type* integer, int64_t stride);
  // Lane by lane: `value` where the mask is set, else `other`. Also for structs of vectors.
  llvm::Value* blend(llvm::Value* mask, llvm::Value* value, llvm::Value* other);
  // `value` with `neutral` (a scalar) in inactive lanes.
  llvm::Value* fill_inactive(llvm::Value* mask, llvm::Value* value, llvm::Constant* neutral);

  // A variable of the function; lives in its entry block.
  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name = "");
  // Memory in which each lane has an element: for access by a lane number known only at run time.
  llvm::AllocaInst* lane_array(llvm::Value* vector);
  llvm::Value* lane_element(llvm::AllocaInst* array, llvm::Type* element, llvm::Value* lane);

  // Emits a loop over the active lanes, lowest first; `body` gets the lane's number (i32).
  void for_each_active(llvm::Value* mask, const std::function<void(llvm::Value* lane)>& body);
  // Emits a branch on `condition` with `body` on one side and `otherwise` on the other.
  void if_else(llvm::Value* condition, const std::function<void()>& body,
               const std::function<void()>& otherwise);

  // Per-lane memory access. `address` is a vector of ptr; inactive lanes touch nothing.
  llvm::Value* gather(llvm::Type* element, llvm::Value* address, llvm::Align align,
                      llvm::Value* mask);
  void scatter(llvm::Value* value, llvm::Value* address, llvm::Align align, llvm::Value* mask);
  // Neighbouring elements from `address`, a ptr, on.
  llvm::Value* load_row(llvm::Type* element, llvm::Value* address, llvm::Align align,
                        llvm::Value* mask);
  void store_row(llvm::Value* value, llvm::Value* address, llvm::Align align, llvm::Value* mask);
  // Elements `stride` bytes apart, lane 0's at `address`, a ptr.
  llvm::Value* load_strided(llvm::Type* element, llvm::Value* address, int64_t stride,
                            llvm::Align align, llvm::Value* mask);
  void store_strided(llvm::Value* value, llvm::Value* address, int64_t stride, llvm::Align align,
                     llvm::Value* mask);
  // Asks for what load_strided will want once it is so many bytes further. Touches nothing.
  struct Ahead {
    int64_t bytes;
    bool fits_first_cache;  // else it would push out what comes before it
  };
  void read_ahead(llvm::Value* address, int64_t stride, const Ahead& ahead);
  // Like store_strided, but when `streams` (i1) is set, and a row fills whole lines of memory,
  // around the caches.
  struct StreamCondition {
    llvm::Value* mask;
    llvm::Value* streams;
  };
  void stream_strided(llvm::Value* value, llvm::Value* address, int64_t stride, llvm::Align align,
                      const StreamCondition& condition);

  // Integer division and remainder that does not trap in inactive lanes, whatever they hold. Active
  // lanes have divisors as guard-division leaves them.
  llvm::Value* divide(llvm::Instruction::BinaryOps operation, llvm::Value* left, llvm::Value* right,
                      llvm::Value* mask);

 private:
  llvm::Value* lane_addresses(llvm::Value* address, int64_t stride) {
    return CreateGEP(getInt8Ty(), address, steps(getInt64Ty(), stride));
  }
  llvm::Value* gather_words(llvm::Type* element, llvm::Value* address, llvm::Value* mask);
  std::pair<llvm::Value*, llvm::Align> offset_address(llvm::Value* address, int64_t bytes,
                                                      llvm::Align align);
  llvm::Value* load_each(llvm::Type* element, llvm::Value* address, int64_t stride,
                         llvm::Align align);
  llvm::Value* load_interleaved(llvm::Type* element, llvm::Value* address, unsigned step,
                                llvm::Align align);
  llvm::Value* load_all_strided(llvm::Type* element, llvm::Value* address, int64_t stride,
                                llvm::Align align);
  void stream_row(llvm::Value* value, llvm::Value* address);
  void store_interleaved(llvm::Value* value, llvm::Value* address, unsigned step,
                         llvm::Align align);
  void store_all_strided(llvm::Value* value, llvm::Value* address, int64_t stride,
                         llvm::Align align);
  llvm::Value* divide_as_double(llvm::Value* left, llvm::Value* right, bool is_signed);
  llvm::Value* divide_wide(llvm::Value* left, llvm::Value* right, llvm::Value* mask,
                           bool is_signed);

  llvm::Function& function_;
  llvm::TargetTransformInfo target_;
};

}  // namespace assay::codegen
