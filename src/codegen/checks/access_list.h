// The accesses to memory of a kernel, as the checks see them. What is asked about each is
// insert_checks.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/checks.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/ValueHandle.h"

namespace assay::codegen {

// Values follow when an access they come from gets a guard.
struct Access {
  llvm::Instruction* instruction;
  llvm::WeakTrackingVH pointer;
  llvm::WeakTrackingVH value = {};  // what is stored, if that is one number
  kernel::SiteKind kind;
  uint64_t bytes;
  uint64_t alignment;
  std::string type;  // of the number; "+" of an atomic sum
};

// Everything in `kernel` that reads or writes memory, in the order of the code; a copy of a block
// is two accesses.
std::vector<Access> list_accesses(llvm::Function& kernel);

// "float", "half", …; empty for what is no real number.
std::string type_name(const llvm::Type& type);

// A mark where a load stood before LLVM moved it (early_loads.h).
bool is_early_load(const llvm::Instruction& instruction);

// What turns out to lie elsewhere is told, and then done all the same. Processors only mind where
// accesses are larger than a number.
void allow_any_alignment(llvm::Instruction& access);

}  // namespace assay::codegen
