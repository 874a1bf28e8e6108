// See variable_flags.h.
#include "codegen/checks/variable_flags.h"

#include "codegen/checks/mark_unset_variables.h"
#include "codegen/checks/variable_numbers.h"

namespace assay::codegen {
namespace {

constexpr uint64_t kMaxNumbers = 65'536;
constexpr uint64_t kMaxSingly = 8;
constexpr uint64_t kMaxRead = 64;
// Variables with more of it are taken to have values.
constexpr ptrdiff_t kMaxPadding = 64;

void leave_alone(llvm::Instruction& access) {
  access.setMetadata(kFlagMetadata, llvm::MDNode::get(access.getContext(), {}));
}

}  // namespace

bool VariableFlags::can_watch(const llvm::AllocaInst& variable) {
  return !variable.isArrayAllocation() && variable.isStaticAlloca() &&
         list_numbers(*variable.getAllocatedType(), variable.getModule()->getDataLayout(),
                      kMaxNumbers);
}

VariableFlags::VariableFlags(llvm::AllocaInst& variable)
    : variable_(variable), layout_(variable.getModule()->getDataLayout()), places_(layout_) {
  const auto numbers = list_numbers(*variable.getAllocatedType(), layout_, kMaxNumbers);
  part_ = numbers->part;
  bytes_ = numbers->bytes;
  // The second half is for what begins behind the end.
  room_ = 2 * parts(bytes_);
  llvm::IRBuilder<> builder(variable.getNextNode());
  flags_ = builder.CreateAlloca(llvm::ArrayType::get(builder.getInt8Ty(), room_), nullptr,
                                "unset." + variable.getName());
  leave_alone(*builder.CreateMemSet(flags_, builder.getInt8(0), room_, llvm::Align(1)));
}

llvm::Value* VariableFlags::flag(llvm::IRBuilder<>& builder, llvm::Value* address) {
  llvm::Value* number = builder.CreateUDiv(places_.find(address)->offset, builder.getInt64(part_));
  number =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, number, builder.getInt64(parts(bytes_)));
  return builder.CreateInBoundsGEP(builder.getInt8Ty(), flags_, number);
}

void VariableFlags::write(llvm::IRBuilder<>& builder, llvm::Value* address, uint64_t bytes,
                          llvm::Value* is_unset) {
  const uint64_t count = parts(std::min(bytes, bytes_));
  llvm::Value* first = flag(builder, address);
  llvm::Value* value = builder.CreateZExt(is_unset, builder.getInt8Ty());
  if (count > kMaxSingly) {
    leave_alone(*builder.CreateMemSet(first, value, count, llvm::Align(1)));
    return;
  }
  for (uint64_t i = 0; i < count; ++i) {
    llvm::Value* each = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), first, i);
    leave_alone(*builder.CreateStore(value, each));
  }
}

void VariableFlags::copy(llvm::IRBuilder<>& builder, llvm::Value* address, uint64_t bytes,
                         VariableFlags& other, llvm::Value* source) {
  if (other.part_ != part_) return write(builder, address, bytes, builder.getFalse());
  const uint64_t count = parts(std::min({bytes, bytes_, other.bytes_}));
  leave_alone(*builder.CreateMemCpy(flag(builder, address), llvm::Align(1),
                                    other.flag(builder, source), llvm::Align(1), count));
}

llvm::Value* VariableFlags::read(llvm::IRBuilder<>& builder, llvm::Value* address, uint64_t bytes) {
  const uint64_t count = parts(std::min(bytes, bytes_));
  if (count > kMaxRead) return nullptr;
  llvm::Value* first = flag(builder, address);
  llvm::Value* joined = nullptr;
  for (uint64_t i = 0; i < count; ++i) {
    llvm::Value* each = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), first, i);
    llvm::LoadInst* value = builder.CreateLoad(builder.getInt8Ty(), each);
    leave_alone(*value);
    joined = joined ? builder.CreateOr(joined, value) : value;
  }
  return builder.CreateIsNotNull(joined);
}

void VariableFlags::forget(llvm::IRBuilder<>& builder) {
  const auto numbers = list_numbers(*variable_.getAllocatedType(), layout_, kMaxNumbers);
  std::vector<uint8_t> flags(parts(bytes_), 0);
  for (const NumberPlace& place : numbers->places) {
    const uint64_t first = place.offset / part_;
    const uint64_t count = parts(layout_.getTypeStoreSize(place.type));
    std::fill_n(flags.begin() + static_cast<ptrdiff_t>(first), count, uint8_t{1});
  }
  if (std::count(flags.begin(), flags.end(), uint8_t{0}) > kMaxPadding) return;
  leave_alone(*builder.CreateMemSet(flags_, builder.getInt8(1), flags.size(), llvm::Align(1)));
  for (size_t i = 0; i < flags.size(); ++i) {
    if (flags[i]) continue;
    llvm::Value* padding = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), flags_, i);
    leave_alone(*builder.CreateStore(builder.getInt8(0), padding));
  }
}

llvm::Value* VariableFlags::number_at(llvm::IRBuilder<>& builder, llvm::Value* address,
                                      uint64_t bytes) {
  return builder.CreateUDiv(places_.find(address)->offset, builder.getInt64(bytes));
}

}  // namespace assay::codegen
