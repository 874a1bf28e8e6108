// Which variables a function may read before all of their parts have values.
#pragma once

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

struct ByteRange {
  uint64_t begin = 0;
  uint64_t end = 0;
};

// What a function does with memory whose address it is given.
struct AddressUse {
  bool may_read_early = true;      // something that it has not written itself before
  std::vector<ByteRange> written;  // whenever it returns
};

// Needs the variables and types that clang wrote, and parameters as values. Who keeps an address
// somewhere counts as reading there.
class EarlyReads {
 public:
  // The functions it calls must have been noted before; of others nothing is known.
  void note(llvm::Function& function);

  // Of the function that was noted last.
  bool may_come_early(llvm::AllocaInst& variable) const;

 private:
  struct Access;
  using Accesses = std::vector<Access>;
  class Collector;

  const AddressUse* find_use(const llvm::CallBase& call, unsigned argument) const;
  bool has_value(const Accesses& accesses, const Access& read,
                 const std::vector<ByteRange>& padding) const;
  AddressUse judge(llvm::Argument& address) const;

  llvm::DominatorTree dominators_;
  std::vector<llvm::Instruction*> returns_;
  llvm::DenseMap<const llvm::Argument*, AddressUse> uses_;
};

}  // namespace assay::codegen
