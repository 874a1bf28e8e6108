// See early_reads.h.
#include "codegen/checks/early_reads.h"

#include <optional>

#include "codegen/checks/source_place.h"
#include "codegen/checks/variable_numbers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {
namespace {

// More accesses than this are not compared with one another.
constexpr size_t kMaxAccesses = 512;
constexpr uint64_t kMaxNumbers = 4096;
constexpr uint64_t kEverything = UINT64_MAX;

bool is_constructor(const llvm::Function& function) {
  llvm::ItaniumPartialDemangler name;
  const std::string mangled = function.getName().str();
  return !name.partialDemangle(mangled.c_str()) && name.isCtorOrDtor();
}

// What functions of the library return, and what its constructors make, has values, though they may
// fill it in loops.
bool is_made_by_library(const llvm::Argument& address) {
  const llvm::Function& function = *address.getParent();
  if (!is_standard_library(function)) return false;
  return address.hasStructRetAttr() || (address.getArgNo() == 0 && is_constructor(function));
}

bool covers(std::vector<ByteRange> ranges, ByteRange wanted) {
  llvm::sort(ranges, [](ByteRange a, ByteRange b) { return a.begin < b.begin; });
  for (const ByteRange& range : ranges) {
    if (range.begin > wanted.begin) break;
    wanted.begin = std::max(wanted.begin, range.end);
  }
  return wanted.begin >= wanted.end;
}

std::vector<ByteRange> list_padding(llvm::Type& type, const llvm::DataLayout& layout) {
  std::vector<ByteRange> padding;
  const std::optional<VariableNumbers> numbers = list_numbers(type, layout, kMaxNumbers);
  if (!numbers) return padding;
  uint64_t end = 0;
  for (const NumberPlace& place : numbers->places) {
    if (place.offset > end) padding.push_back({end, place.offset});
    end = place.offset + layout.getTypeStoreSize(place.type);
  }
  if (end < numbers->bytes) padding.push_back({end, numbers->bytes});
  return padding;
}

}  // namespace

struct EarlyReads::Access {
  llvm::Instruction* at;
  ByteRange range;
  bool is_write;
};

class EarlyReads::Collector {
 public:
  // `whole`: all that an access at an unknown place may reach.
  Collector(const EarlyReads& reads, const llvm::DataLayout& layout, ByteRange whole)
      : reads_(reads), layout_(layout), whole_(whole) {}

  Accesses collect(llvm::Value& address) {
    follow(address, 0);
    return std::move(accesses_);
  }

 private:
  using Offset = std::optional<uint64_t>;

  void follow(llvm::Value& address, Offset offset) {
    for (llvm::Use& use : address.uses()) note(use, offset);
  }

  void read(llvm::Instruction& at, Offset offset, uint64_t bytes) {
    accesses_.push_back({&at, offset ? ByteRange{*offset, *offset + bytes} : whole_, false});
  }
  // Who writes at an unknown place gives no known part a value.
  void write(llvm::Instruction& at, Offset offset, uint64_t bytes) {
    if (offset) accesses_.push_back({&at, {*offset, *offset + bytes}, true});
  }

  void note(llvm::Use& use, Offset offset) {
    auto& user = *llvm::cast<llvm::Instruction>(use.getUser());
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&user)) {
      return read(user, offset, layout_.getTypeStoreSize(load->getType()));
    }
    auto* store = llvm::dyn_cast<llvm::StoreInst>(&user);
    if (store && use.getOperandNo() == llvm::StoreInst::getPointerOperandIndex()) {
      return write(user, offset, layout_.getTypeStoreSize(store->getValueOperand()->getType()));
    }
    if (auto* part = llvm::dyn_cast<llvm::GetElementPtrInst>(&user)) {
      llvm::APInt step(64, 0);
      const bool is_known = offset && part->accumulateConstantOffset(layout_, step);
      return follow(user, is_known ? Offset(*offset + step.getZExtValue()) : std::nullopt);
    }
    if (auto* block = llvm::dyn_cast<llvm::MemIntrinsic>(&user)) return note(*block, use, offset);
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&user)) return note(*call, use, offset);
    if (!llvm::isa<llvm::ICmpInst>(user)) read(user, std::nullopt, 0);
  }

  void note(llvm::MemIntrinsic& block, const llvm::Use& use, Offset offset) {
    auto* length = llvm::dyn_cast<llvm::ConstantInt>(block.getLength());
    const bool is_target = use.getOperandNo() == 0;
    if (length && is_target) return write(block, offset, length->getZExtValue());
    if (!is_target)
      read(block, length ? offset : std::nullopt, length ? length->getZExtValue() : 0);
  }

  void note(llvm::CallBase& call, const llvm::Use& use, Offset offset) {
    if (call.isLifetimeStartOrEnd() || !call.isArgOperand(&use)) return;
    const unsigned argument = call.getArgOperandNo(&use);
    if (llvm::Type* copied = call.getParamByValType(argument)) {
      return read(call, offset, layout_.getTypeAllocSize(copied));
    }
    const AddressUse* known = reads_.find_use(call, argument);
    if (!known || known->may_read_early) read(call, std::nullopt, 0);
    if (!known || !offset) return;
    for (const ByteRange& range : known->written) {
      write(call, *offset + range.begin, range.end - range.begin);
    }
  }

  const EarlyReads& reads_;
  const llvm::DataLayout& layout_;
  ByteRange whole_;
  Accesses accesses_;
};

const AddressUse* EarlyReads::find_use(const llvm::CallBase& call, unsigned argument) const {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || argument >= callee->arg_size()) return nullptr;
  auto known = uses_.find(callee->getArg(argument));
  return known == uses_.end() ? nullptr : &known->second;
}

bool EarlyReads::has_value(const Accesses& accesses, const Access& read,
                           const std::vector<ByteRange>& padding) const {
  std::vector<ByteRange> written = padding;
  for (const Access& before : accesses) {
    if (before.is_write && before.at != read.at && dominators_.dominates(before.at, read.at)) {
      written.push_back(before.range);
    }
  }
  return covers(std::move(written), read.range);
}

bool EarlyReads::may_come_early(llvm::AllocaInst& variable) const {
  const llvm::DataLayout& layout = variable.getModule()->getDataLayout();
  llvm::Type& type = *variable.getAllocatedType();
  const Accesses accesses =
      Collector(*this, layout, {0, layout.getTypeAllocSize(&type)}).collect(variable);
  if (accesses.size() > kMaxAccesses) return true;
  const std::vector<ByteRange> padding = list_padding(type, layout);
  return llvm::any_of(accesses, [&](const Access& access) {
    return !access.is_write && !has_value(accesses, access, padding);
  });
}

AddressUse EarlyReads::judge(llvm::Argument& address) const {
  const llvm::DataLayout& layout = address.getParent()->getParent()->getDataLayout();
  llvm::Type* result = address.getParamStructRetType();
  const uint64_t named = address.getDereferenceableBytes();
  const uint64_t bytes = result ? layout.getTypeAllocSize(result).getFixedValue() : named;
  const ByteRange whole = {0, bytes > 0 ? bytes : kEverything};
  if (is_made_by_library(address)) return {.may_read_early = false, .written = {whole}};
  const Accesses accesses = Collector(*this, layout, whole).collect(address);
  AddressUse use;
  if (accesses.size() > kMaxAccesses) return use;
  const auto padding = result ? list_padding(*result, layout) : std::vector<ByteRange>();
  use.may_read_early = llvm::any_of(accesses, [&](const Access& access) {
    return !access.is_write && !has_value(accesses, access, padding);
  });
  for (const Access& access : accesses) {
    const bool is_always = access.is_write && llvm::all_of(returns_, [&](llvm::Instruction* end) {
                             return dominators_.dominates(access.at, end);
                           });
    if (is_always) use.written.push_back(access.range);
  }
  return use;
}

void EarlyReads::note(llvm::Function& function) {
  dominators_.recalculate(function);
  returns_.clear();
  for (llvm::BasicBlock& block : function) {
    if (llvm::isa<llvm::ReturnInst>(block.getTerminator())) {
      returns_.push_back(block.getTerminator());
    }
  }
  for (llvm::Argument& argument : function.args()) {
    if (argument.getType()->isPointerTy()) uses_[&argument] = judge(argument);
  }
}

}  // namespace assay::codegen
