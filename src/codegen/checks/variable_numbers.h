// The numbers that a type is made of.
#pragma once

#include <optional>
#include <vector>

#include "llvm/IR/DataLayout.h"

namespace assay::codegen {

struct NumberPlace {
  uint64_t offset = 0;
  llvm::Type* type = nullptr;
};

struct VariableNumbers {
  std::vector<NumberPlace> places;  // in order of their offsets, without padding
  uint64_t bytes = 0;               // of the variable
  uint64_t part = 1;                // bytes of the smallest number
};

// Nothing for types of which several may share memory (unions), and for more than `most` numbers.
std::optional<VariableNumbers> list_numbers(llvm::Type& type, const llvm::DataLayout& layout,
                                            uint64_t most);

}  // namespace assay::codegen
