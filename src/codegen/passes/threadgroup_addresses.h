// Who may touch the same threadgroup memory: a guess from the form of the addresses, for passes to
// which a wrong answer costs time but never results.
#pragma once

#include <optional>
#include <span>

#include "codegen/kernel_build.h"
#include "llvm/Analysis/ScalarEvolution.h"

namespace assay::codegen {

class ThreadgroupAddresses {
 public:
  // `thread` is code of one thread written with ThreadValues.
  ThreadgroupAddresses(const llvm::Function& thread, llvm::ScalarEvolution& evolution,
                       std::span<const ThreadgroupVariable> variables)
      : thread_(thread), evolution_(evolution), variables_(variables) {}

  // The address in the form that may_meet takes.
  const llvm::SCEV* describe(llvm::Value* address);

  // False where every thread reads and writes elements of its own, where the accesses belong to
  // different variables, and where elements below a bound are written and elements above it read.
  // `bytes` is the larger access, `block` has the store.
  bool may_meet(const llvm::SCEV* read, const llvm::SCEV* written, uint64_t bytes,
                const llvm::BasicBlock& block);

 private:
  // rest + scale * index, where only the index depends on the thread's number.
  struct Element {
    const llvm::SCEV* rest = nullptr;
    const llvm::SCEV* scale = nullptr;
    const llvm::SCEV* index = nullptr;
  };
  // A variable, or a [[threadgroup(n)]] argument.
  struct Owner {
    const llvm::Value* argument_offset = nullptr;
    std::optional<size_t> variable = {};
  };
  Owner find_owner(const llvm::SCEV* address) const;
  void add_term(const llvm::SCEV* term, Owner& owner, int64_t& offset) const;
  bool is_thread_number(const llvm::Value* value) const;
  std::optional<uint64_t> thread_stride(const llvm::SCEV* term) const;
  std::optional<Element> find_element(const llvm::SCEV* address);
  const llvm::SCEV* count_elements(const llvm::SCEV* upper, const Element& lower);
  bool is_upper_half(const llvm::SCEV* read, const llvm::SCEV* written,
                     const llvm::BasicBlock& block);

  const llvm::Function& thread_;
  llvm::ScalarEvolution& evolution_;
  std::span<const ThreadgroupVariable> variables_;
};

}  // namespace assay::codegen
