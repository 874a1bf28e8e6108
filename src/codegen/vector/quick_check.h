// Accesses of checked code that are plainly fine, seen without a call of the runtime. Everything
// else is left to that call.
#pragma once

#include "codegen/checks/lower_checks.h"
#include "codegen/vector/lane_builder.h"
#include "kernel/checks.h"

namespace assay::codegen {

// Lanes' addresses: lane 0's with a stride, or a vector of them.
struct LaneAddresses {
  llvm::Value* first = nullptr;   // i64
  int64_t stride = 0;             // bytes; of rows where `each` is given
  llvm::Value* each = nullptr;    // <32 x i64>, frozen; null where all have the stride
  llvm::Value* is_row = nullptr;  // i1: whether active lanes have the stride all the same
};

// Asks the table of kernel::QuickCheck about one access.
class QuickCheck {
 public:
  // `mask` is a <32 x i1>, `object` an i64: where a variable of the threadgroup begins.
  QuickCheck(LaneBuilder& builder, const CheckContext& context, llvm::Value* mask,
             const kernel::CheckSite& site, llvm::Value* site_number, llvm::Value* object)
      : builder_(builder),
        context_(context),
        mask_(mask),
        site_(site),
        site_number_(site_number),
        object_(object) {}

  // Whether the code may know of this kind of access at all.
  static bool knows(const kernel::CheckSite& site);

  // The calls of the runtime.
  struct Calls {
    std::function<llvm::Value*()> ask;  // i32: the lanes that may go on
    std::function<void()> tell;         // of an access that is fine
  };
  // i32: the lanes that may go on.
  llvm::Value* emit(const LaneAddresses& addresses, const Calls& calls);

 private:
  llvm::BasicBlock* create_block(const char* name);
  void find_entry();
  llvm::Value* field(size_t offset);
  llvm::Value* has_duty(uint64_t duty);
  void emit_values(const LaneAddresses& addresses, llvm::BasicBlock* ask);
  llvm::Value* is_inside(const LaneAddresses& addresses);
  llvm::Value* is_inside(llvm::Value* address);
  llvm::Value* may_look_at_values(const LaneAddresses& addresses);
  llvm::Value* have_values(const LaneAddresses& addresses);
  void note_values(const LaneAddresses& addresses);
  llvm::Value* flags_of(const LaneAddresses& addresses);
  llvm::Type* flags_type() const;

  LaneBuilder& builder_;
  const CheckContext& context_;
  llvm::Value* const mask_;
  const kernel::CheckSite& site_;
  llvm::Value* const site_number_;
  llvm::Value* const object_;
  llvm::Value* entry_ = nullptr;  // of the table
  llvm::Value* duties_ = nullptr;
  llvm::Value* begin_ = nullptr;
  llvm::Value* last_ = nullptr;
};

}  // namespace assay::codegen
