// What threads hand one another in threadgroup memory without a value: a struct is copied as a
// whole, and some of its members may never have had one.
#pragma once

#include <optional>
#include <vector>

#include "codegen/kernel_build.h"
#include "kernel/checks.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

// Threadgroup memory as far as it is told apart: a variable or an argument.
struct SharedPlace {
  kernel::SiteMemory memory = kernel::SiteMemory::kNone;
  uint64_t number = 0;  // of the variable, or the argument's slot
  bool operator==(const SharedPlace&) const = default;
};
// Nothing for other memory, and for pointers into one of several.
std::optional<SharedPlace> find_shared_place(const KernelBuild& build, llvm::Value* address);

struct SharedLoad {
  SharedPlace place;
  llvm::LoadInst* load;
};
// Loads of numbers, but for those that only keep what lies beside a bit-field.
std::vector<SharedLoad> list_shared_loads(const KernelBuild& build);

// To write a bit-field, clang reads what lies beside it in the same number and writes that back.
bool keeps_other_bits(const llvm::LoadInst& load);

// Calls of assay.check.access that insert-checks completes. Behind a store:
// where `is_unset`, what was stored has no value. In front of a load: whether all that it reads was
// stored so.
void emit_unset_store(llvm::IRBuilder<>& builder, llvm::StoreInst& store, llvm::Value* is_unset);
llvm::Value* emit_unset_load(llvm::IRBuilder<>& builder, llvm::LoadInst& load);

// The kind and size of such a call, which stand where its site goes.
struct UnsetAccess {
  kernel::SiteKind kind;
  uint64_t bytes;
};
UnsetAccess unset_access_of(const llvm::CallInst& call);

}  // namespace assay::codegen
