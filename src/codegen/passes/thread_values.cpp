// Attribute arithmetic, in MSL's definitions.
#include "codegen/passes/thread_values.h"

#include <cstddef>

#include "kernel/cpu_abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"

namespace assay::codegen {

using kernel::GroupContext;
using kernel::ThreadAttribute;

namespace {
constexpr uint32_t kQuadgroupWidth = 4;
}

ThreadValues::ThreadValues(llvm::IRBuilder<>& builder, llvm::Value* context)
    : builder_(builder), group_block_(builder.GetInsertBlock()), context_(context) {
  arena_ = load(offsetof(GroupContext, threadgroup_memory), builder_.getPtrTy(), context_);
  threads_ = load_vector(offsetof(GroupContext, threads_per_threadgroup));
}

void ThreadValues::set_position(const Vector3& position, llvm::Value* index_in_threadgroup,
                                llvm::Value* lane) {
  position_ = position;
  index_ = index_in_threadgroup;
  lane_ = lane;
}

llvm::Value* ThreadValues::lane() {
  if (lane_) return lane_;
  return builder_.CreateAnd(index_, builder_.getInt32(kernel::kSimdgroupWidth - 1));
}

llvm::Value* ThreadValues::buffer(uint32_t slot) {
  llvm::Value* table =
      load_table(offsetof(GroupContext, buffers), kernel::kMaxBufferSlots * sizeof(void*));
  return load(slot * sizeof(void*), builder_.getPtrTy(), table);
}

llvm::Value* ThreadValues::threadgroup_argument(uint32_t slot) {
  llvm::Value* table = load_table(offsetof(GroupContext, threadgroup_offsets),
                                  kernel::kMaxThreadgroupSlots * sizeof(uint64_t));
  llvm::Value* offset = load(slot * sizeof(uint64_t), builder_.getInt64Ty(), table);
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), arena_, offset);
}

Vector3 ThreadValues::attribute(ThreadAttribute attribute) {
  auto scalar = [&](llvm::Value* value) { return Vector3{value, value, value}; };
  auto number = [&](uint32_t value) { return scalar(builder_.getInt32(value)); };
  auto shift = [&](uint32_t bits) { return scalar(builder_.CreateLShr(index_, bits)); };
  switch (attribute) {
    case ThreadAttribute::kThreadPositionInGrid: return position_in_grid();
    case ThreadAttribute::kThreadPositionInThreadgroup: return position_;
    case ThreadAttribute::kThreadIndexInThreadgroup: return scalar(index_);
    case ThreadAttribute::kThreadgroupPositionInGrid:
      return load_vector(offsetof(GroupContext, threadgroup_position_in_grid));
    case ThreadAttribute::kThreadsPerGrid:
    case ThreadAttribute::kGridSize: return load_vector(offsetof(GroupContext, threads_per_grid));
    case ThreadAttribute::kThreadsPerThreadgroup: return threads_;
    case ThreadAttribute::kThreadgroupsPerGrid:
      return load_vector(offsetof(GroupContext, threadgroups_per_grid));
    case ThreadAttribute::kDispatchThreadsPerThreadgroup:
      return load_vector(offsetof(GroupContext, dispatch_threads_per_threadgroup));
    case ThreadAttribute::kGridOrigin: return number(0);
    case ThreadAttribute::kThreadIndexInSimdgroup: return scalar(lane());
    case ThreadAttribute::kSimdgroupIndexInThreadgroup: return shift(5);
    case ThreadAttribute::kSimdgroupsPerThreadgroup:
      return scalar(groups_of(kernel::kSimdgroupWidth, threads_));
    case ThreadAttribute::kDispatchSimdgroupsPerThreadgroup:
      return scalar(
          groups_of(kernel::kSimdgroupWidth,
                    load_vector(offsetof(GroupContext, dispatch_threads_per_threadgroup))));
    case ThreadAttribute::kThreadsPerSimdgroup:
    case ThreadAttribute::kThreadExecutionWidth: return number(kernel::kSimdgroupWidth);
    case ThreadAttribute::kThreadIndexInQuadgroup:
      return scalar(builder_.CreateAnd(lane(), builder_.getInt32(kQuadgroupWidth - 1)));
    case ThreadAttribute::kQuadgroupIndexInThreadgroup: return shift(2);
    case ThreadAttribute::kQuadgroupsPerThreadgroup:
      return scalar(groups_of(kQuadgroupWidth, threads_));
    case ThreadAttribute::kDispatchQuadgroupsPerThreadgroup:
      return scalar(groups_of(
          kQuadgroupWidth, load_vector(offsetof(GroupContext, dispatch_threads_per_threadgroup))));
  }
  return number(0);
}

// Its entries may be read early, whether or not a thread needs them.
llvm::Value* ThreadValues::load_table(size_t offset, uint64_t bytes) {
  llvm::Value* table = load(offset, builder_.getPtrTy(), context_);
  auto number = [&](uint64_t value) {
    llvm::Metadata* constant = llvm::ConstantAsMetadata::get(builder_.getInt64(value));
    return llvm::MDNode::get(builder_.getContext(), constant);
  };
  auto* loaded = llvm::cast<llvm::LoadInst>(table);
  loaded->setMetadata(llvm::LLVMContext::MD_dereferenceable, number(bytes));
  loaded->setMetadata(llvm::LLVMContext::MD_align, number(alignof(uint64_t)));
  return table;
}

llvm::Value* ThreadValues::load(size_t offset, llvm::Type* type, llvm::Value* base) {
  llvm::IRBuilder<> builder(group_block_);
  if (llvm::Instruction* end = group_block_->getTerminator()) builder.SetInsertPoint(end);
  llvm::Value* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  llvm::LoadInst* value = builder.CreateLoad(type, address);
  // The context and its tables do not change while the group runs, whatever kernels write.
  value->setMetadata(llvm::LLVMContext::MD_invariant_load,
                     llvm::MDNode::get(builder.getContext(), {}));
  return value;
}

Vector3 ThreadValues::load_vector(size_t offset) {
  Vector3 vector;
  for (size_t i = 0; i < 3; ++i) {
    vector[i] = load(offset + i * sizeof(uint32_t), builder_.getInt32Ty(), context_);
  }
  return vector;
}

// Groups start at multiples of the requested size, also where a smaller one ends the grid.
// Positions are below threads_per_grid, so nothing wraps; loops over threads vectorise only when
// they know.
Vector3 ThreadValues::position_in_grid() {
  Vector3 group = load_vector(offsetof(GroupContext, threadgroup_position_in_grid));
  Vector3 size = load_vector(offsetof(GroupContext, dispatch_threads_per_threadgroup));
  Vector3 result;
  for (size_t i = 0; i < 3; ++i) {
    llvm::Value* start = builder_.CreateNUWMul(group[i], size[i]);
    result[i] = builder_.CreateNUWAdd(start, position_[i]);
  }
  return result;
}

llvm::Value* ThreadValues::product(const Vector3& vector) {
  return builder_.CreateMul(builder_.CreateMul(vector[0], vector[1]), vector[2]);
}

llvm::Value* ThreadValues::groups_of(uint32_t width, const Vector3& threads) {
  llvm::Value* rounded_up = builder_.CreateAdd(product(threads), builder_.getInt32(width - 1));
  return builder_.CreateUDiv(rounded_up, builder_.getInt32(width));
}

bool is_context_field(const llvm::Value* value, uint64_t offset, const llvm::Function& thread) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (!load) return false;
  const llvm::DataLayout& layout = thread.getParent()->getDataLayout();
  const llvm::Value* base = load->getPointerOperand();
  llvm::APInt distance(layout.getIndexTypeSizeInBits(base->getType()), 0);
  base = base->stripAndAccumulateConstantOffsets(layout, distance, /*AllowNonInbounds=*/true);
  return base == thread.getArg(0) && distance == offset;
}

bool is_buffer(const llvm::Value* value, const llvm::Function& thread) {
  const auto* load = llvm::dyn_cast<llvm::LoadInst>(value);
  if (!load) return false;
  const llvm::Value* table = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
  return is_context_field(table, offsetof(GroupContext, buffers), thread);
}

bool is_threadgroup_memory(const llvm::Value* address, const llvm::Function& thread) {
  return is_context_field(llvm::getUnderlyingObject(address, 0),
                          offsetof(GroupContext, threadgroup_memory), thread);
}

}  // namespace assay::codegen
