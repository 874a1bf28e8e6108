// Follows pointers into a thread's own variables, as numbers beside them.
#pragma once

#include <optional>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Value.h"

namespace assay::codegen {

// Each lane has its own copy of a thread's variables, so that an address says nothing about which
// variable it is in: a place is what the pointer was made from.
struct ThreadPlace {
  llvm::Value* offset = nullptr;  // i64: bytes from the start of the variable
  llvm::Value* bytes = nullptr;   // i64: of the variable
};

class ThreadPlaces {
 public:
  explicit ThreadPlaces(const llvm::DataLayout& layout) : layout_(layout) {}

  // Emits what is needed next to what made the pointer, also through conditions and loops. Nothing
  // where other things than variables and arithmetic are involved.
  std::optional<ThreadPlace> find(llvm::Value* pointer);

 private:
  bool is_followed(llvm::Value* pointer) const;
  ThreadPlace place_of(llvm::Value* pointer);
  ThreadPlace emit(llvm::Value* pointer);

  const llvm::DataLayout& layout_;
  llvm::DenseMap<llvm::Value*, ThreadPlace> places_;
};

}  // namespace assay::codegen
