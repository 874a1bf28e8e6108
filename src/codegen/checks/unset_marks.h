// The marks that stand in a checked kernel's code, until it is known what becomes of them, for what
// variables hold that nobody has given a value.
#pragma once

#include <string>

#include "llvm/IR/Function.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

enum class UnsetMark : uint8_t {
  kNone,
  kNumber,  // () → T, what a number of a variable holds at first
  kMemory,  // (ptr): all of the variable holds nothing; of those with many numbers
  kRead,    // (T) → T, the same: a place where the user's code reads a variable
  kFilled,  // (T) → T: has a value from here on
};

UnsetMark find_mark(const llvm::Value& value);

// What a mark of kNumber or kMemory says of its variable.
struct UnsetVariable {
  uint64_t id = 0;  // one for each in the source
  std::string name;
  bool is_library_type = false;  // vectors and matrices, of which no part is left out on purpose
};
UnsetVariable variable_of(const llvm::CallInst& mark);
// Of kNumber: which of the variable's numbers it is, and of how many.
std::pair<uint64_t, uint64_t> number_of(const llvm::CallInst& mark);

// Where the variable begins to be. Nothing for variables that cannot be watched.
void mark_unset(llvm::AllocaInst& variable, uint64_t id, const std::string& name);
// Wraps `load`.
void mark_read(llvm::LoadInst& load, UnsetMark mark);
// Structs and vectors that `call` is given by value are read there.
void mark_arguments(llvm::CallInst& call);
// Marks of whole variables become those of their numbers, where that are not too many.
void mark_singly(llvm::Function& function);
// Marks become ordinary code again: all of them, or those that `select` takes.
using SelectMark = llvm::function_ref<bool(UnsetMark, const llvm::CallInst&)>;
void drop_marks(llvm::Function& function, SelectMark select);
void drop_marks(llvm::Function& function);

}  // namespace assay::codegen
