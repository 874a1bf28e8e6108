// See variable_numbers.h.
#include "codegen/checks/variable_numbers.h"

#include <algorithm>

#include "llvm/IR/DerivedTypes.h"

namespace assay::codegen {
namespace {

// Clang fills structs up with bytes where LLVM would not do so by itself.
bool is_filling(const llvm::Type& type) {
  auto* array = llvm::dyn_cast<llvm::ArrayType>(&type);
  return array && array->getElementType()->isIntegerTy(8);
}

bool is_union(const llvm::StructType& type) {
  return type.hasName() && type.getName().starts_with("union.");
}

class Lister {
 public:
  Lister(const llvm::DataLayout& layout, uint64_t most) : layout_(layout), most_(most) {}

  bool add(llvm::Type& type, uint64_t offset) {
    if (auto* array = llvm::dyn_cast<llvm::ArrayType>(&type)) {
      const uint64_t bytes = layout_.getTypeAllocSize(array->getElementType());
      for (uint64_t i = 0; i < array->getNumElements(); ++i) {
        if (!add(*array->getElementType(), offset + i * bytes)) return false;
      }
      return true;
    }
    if (auto* record = llvm::dyn_cast<llvm::StructType>(&type)) return add_members(*record, offset);
    if (!type.isIntegerTy() && !type.isFloatingPointTy() && !type.isPointerTy()) return false;
    if (places.size() == most_) return false;
    places.push_back({offset, &type});
    return true;
  }

  std::vector<NumberPlace> places;

 private:
  bool add_members(llvm::StructType& record, uint64_t offset) {
    if (is_union(record)) return false;
    const llvm::StructLayout* members = layout_.getStructLayout(&record);
    for (unsigned i = 0; i < record.getNumElements(); ++i) {
      llvm::Type& member = *record.getElementType(i);
      if (is_filling(member)) continue;
      if (!add(member, offset + members->getElementOffset(i))) return false;
    }
    return true;
  }

  const llvm::DataLayout& layout_;
  uint64_t most_;
};

}  // namespace

std::optional<VariableNumbers> list_numbers(llvm::Type& type, const llvm::DataLayout& layout,
                                            uint64_t most) {
  Lister lister(layout, most);
  if (!lister.add(type, 0) || lister.places.empty()) return std::nullopt;
  VariableNumbers numbers{.places = std::move(lister.places),
                          .bytes = layout.getTypeAllocSize(&type),
                          .part = UINT64_MAX};
  for (const NumberPlace& place : numbers.places) {
    const uint64_t bytes = layout.getTypeStoreSize(place.type);
    numbers.part = std::min(numbers.part, bytes);
  }
  return numbers;
}

}  // namespace assay::codegen
