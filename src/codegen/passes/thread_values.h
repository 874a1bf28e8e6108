// Reads GroupContext in generated code and computes thread attributes from it.
#pragma once

#include <array>

#include "kernel/kernel_info.h"
#include "llvm/IR/IRBuilder.h"

namespace assay::codegen {

using Vector3 = std::array<llvm::Value*, 3>;  // i32, in x, y, z order

// What all threads of the group share is loaded in the block where `builder` stands at
// construction, before any loop over threads; the rest is emitted where it stands when a member is
// called.
class ThreadValues {
 public:
  ThreadValues(llvm::IRBuilder<>& builder, llvm::Value* context);

  // `lane`, if given, is the index modulo the simdgroup's width.
  void set_position(const Vector3& position, llvm::Value* index_in_threadgroup,
                    llvm::Value* lane = nullptr);

  // The attribute's value; scalar attributes are in [0]. Needs the position.
  Vector3 attribute(kernel::ThreadAttribute attribute);
  llvm::Value* lane();

  const Vector3& threads_per_threadgroup() const { return threads_; }
  llvm::Value* threadgroup_memory() const { return arena_; }
  llvm::Value* buffer(uint32_t slot);
  llvm::Value* threadgroup_argument(uint32_t slot);

 private:
  llvm::Value* load(size_t offset, llvm::Type* type, llvm::Value* base);
  llvm::Value* load_table(size_t offset, uint64_t bytes);
  Vector3 load_vector(size_t offset);
  Vector3 position_in_grid();
  llvm::Value* product(const Vector3& vector);
  llvm::Value* groups_of(uint32_t width, const Vector3& threads);

  llvm::IRBuilder<>& builder_;
  llvm::BasicBlock* group_block_;
  llvm::Value* context_;
  llvm::Value* arena_;
  Vector3 threads_;
  Vector3 position_ = {};
  llvm::Value* index_ = nullptr;
  llvm::Value* lane_ = nullptr;
};

// For code that was written with ThreadValues, whose first parameter is the GroupContext.
// True if `value` was loaded from the field at this offset.
bool is_context_field(const llvm::Value* value, uint64_t offset, const llvm::Function& thread);
bool is_buffer(const llvm::Value* value, const llvm::Function& thread);
bool is_threadgroup_memory(const llvm::Value* address, const llvm::Function& thread);

}  // namespace assay::codegen
