// See float_sources.h.
#include "codegen/checks/float_sources.h"

#include "codegen/intrinsics.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

namespace assay::codegen {

using kernel::FloatRole;

namespace {

// Kernels of a thousand operations in a row have no more to do than others.
constexpr size_t kMostSteps = 200;

// Floats and their bits are the same number.
llvm::Value* without_casts(llvm::Value* number) {
  while (true) {
    auto* cast = llvm::dyn_cast<llvm::CastInst>(number);
    if (cast && (llvm::isa<llvm::BitCastInst>(cast) || llvm::isa<llvm::ZExtInst>(cast))) {
      number = cast->getOperand(0);
    } else if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(number)) {
      number = freeze->getOperand(0);
    } else {
      return number;
    }
  }
}

// Every one of these is walked through once.
class Walk {
 public:
  explicit Walk(llvm::Value* start) { add(start); }

  void add(llvm::Value* number) {
    number = without_casts(number);
    const llvm::Type* type = number->getType();
    if (!type->isFloatingPointTy() && !type->isIntegerTy()) return;
    if (!llvm::isa<llvm::Instruction>(number) || seen_.size() == kMostSteps) return;
    if (seen_.insert(number).second) pending_.push_back(number);
  }

  llvm::Instruction* next() {
    if (pending_.empty()) return nullptr;
    return llvm::cast<llvm::Instruction>(pending_.pop_back_val());
  }

 private:
  llvm::DenseSet<const llvm::Value*> seen_;
  llvm::SmallVector<llvm::Value*, 16> pending_;
};

// What may go into the result as it is. Of a choice, both.
llvm::SmallVector<llvm::Value*, 4> passed_on(llvm::Instruction& instruction) {
  if (auto* choice = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    return {choice->getTrueValue(), choice->getFalseValue()};
  }
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    return {call->arg_begin(), call->arg_end()};
  }
  using namespace llvm;
  if (isa<LoadInst, CmpInst, AtomicRMWInst, AtomicCmpXchgInst, GetElementPtrInst, FPToSIInst,
          FPToUIInst, SIToFPInst, UIToFPInst>(instruction)) {
    return {};
  }
  return {instruction.op_begin(), instruction.op_end()};
}

bool keeps_sign_of_operands(const llvm::Instruction& instruction) {
  using namespace llvm;
  if (const auto* call = dyn_cast<IntrinsicInst>(&instruction)) {
    const llvm::Intrinsic::ID id = call->getIntrinsicID();
    return id == llvm::Intrinsic::minnum || id == llvm::Intrinsic::maxnum ||
           id == llvm::Intrinsic::minimum || id == llvm::Intrinsic::maximum;
  }
  return isa<PHINode, SelectInst, FPExtInst, FPTruncInst, LoadInst>(instruction);
}

bool is_sum_of_lanes(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const std::optional<Intrinsic> intrinsic = call ? find_intrinsic(*call) : std::nullopt;
  return intrinsic && intrinsic->combine == kernel::Combine::kAdd &&
         (intrinsic->kind == IntrinsicKind::kReduce || intrinsic->kind == IntrinsicKind::kScan);
}

// The sum comes back to itself by sums alone, in the next round.
bool is_running_sum(llvm::Instruction& sum) {
  Walk walk(sum.getOperand(0));
  walk.add(sum.getOperand(1));
  while (llvm::Instruction* instruction = walk.next()) {
    if (instruction == &sum) return true;
    const unsigned opcode = instruction->getOpcode();
    if (opcode != llvm::Instruction::FAdd && opcode != llvm::Instruction::PHI &&
        opcode != llvm::Instruction::Select && opcode != llvm::Instruction::FPExt &&
        opcode != llvm::Instruction::FPTrunc) {
      continue;
    }
    for (llvm::Value* operand : passed_on(*instruction)) walk.add(operand);
  }
  return false;
}

FloatRole role_of(llvm::Value& result) {
  auto* operation = llvm::dyn_cast<llvm::Instruction>(&result);
  if (!operation) return FloatRole::kOther;
  if (operation->getOpcode() == llvm::Instruction::FMul && operation->getType()->isHalfTy()) {
    return FloatRole::kHalfProduct;
  }
  const bool adds_up = operation->getOpcode() == llvm::Instruction::FAdd
                           ? is_running_sum(*operation)
                           : is_sum_of_lanes(*operation);
  return adds_up ? FloatRole::kRunningSum : FloatRole::kOther;
}

// Whether integers that are made of a float go through comparisons. `number` is its bits.
bool are_integers_limited(llvm::Value* number) {
  llvm::Value* real = without_casts(number);
  llvm::SmallVector<const llvm::Value*, 8> pending;
  auto add_casts = [&](const llvm::Value& value) {
    for (const llvm::User* user : value.users()) {
      if (llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(user)) pending.push_back(user);
    }
  };
  add_casts(*real);
  for (const llvm::User* user : real->users()) {
    if (llvm::isa<llvm::BitCastInst, llvm::FreezeInst>(user)) add_casts(*user);
  }
  if (pending.empty()) return true;
  llvm::DenseSet<const llvm::Value*> seen(pending.begin(), pending.end());
  while (!pending.empty()) {
    for (const llvm::User* user : pending.pop_back_val()->users()) {
      if (seen.size() == kMostSteps || llvm::isa<llvm::CmpInst, llvm::MinMaxIntrinsic>(user)) {
        return true;
      }
      const bool keeps = llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst>(user) ||
                         llvm::isa<llvm::TruncInst, llvm::ZExtInst, llvm::SExtInst>(user);
      const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
      const bool moves = operation && (operation->getOpcode() == llvm::Instruction::Add ||
                                       operation->getOpcode() == llvm::Instruction::Sub);
      if ((keeps || moves) && seen.insert(user).second) pending.push_back(user);
    }
  }
  return false;
}

}  // namespace

void FloatSources::add_operation(llvm::CallInst& check, uint32_t site) {
  operations_.push_back({site, &check});
  const llvm::Value* result = without_casts(check.getArgOperand(1));
  for (unsigned i = 2; i < check.arg_size(); ++i) {
    // A function of the library that only hands its argument on has made nothing.
    if (without_casts(check.getArgOperand(i)) == result) return;
  }
  made_by_[result].push_back(site);
}

void FloatSources::take_use(llvm::CallInst& condition, uint32_t site) {
  llvm::Value* number = condition.getArgOperand(2);
  add_use(number, site);
  condition.setArgOperand(2, llvm::ConstantInt::get(number->getType(), 0));
}

const FloatSources::Values& FloatSources::stored_to(const llvm::AllocaInst& variable) {
  auto [known, is_new] = stored_.try_emplace(&variable);
  Values& values = known->second;
  if (!is_new) return values;
  for (llvm::Instruction& instruction :
       llvm::instructions(*const_cast<llvm::Function*>(variable.getFunction()))) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      if (llvm::getUnderlyingObject(store->getPointerOperand()) == &variable) {
        values.push_back(store->getValueOperand());
      }
    } else if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&instruction)) {
      if (llvm::getUnderlyingObject(copy->getRawDest()) == &variable) values.push_back(copy);
    }
  }
  return values;
}

kernel::FloatSource FloatSources::find(llvm::Value* number) {
  bool keeps_sign = true;
  std::vector<uint32_t> sources;
  Walk walk(number);
  while (llvm::Instruction* instruction = walk.next()) {
    if (auto made = made_by_.find(instruction); made != made_by_.end()) {
      sources.insert(sources.end(), made->second.begin(), made->second.end());
      continue;
    }
    if (auto load = loads_.find(instruction); load != loads_.end()) {
      sources.push_back(load->second);
    }
    keeps_sign = keeps_sign && keeps_sign_of_operands(*instruction);
    for (llvm::Value* operand : passed_on(*instruction)) walk.add(operand);
    auto* load = llvm::dyn_cast<llvm::LoadInst>(instruction);
    auto* variable =
        load
            ? llvm::dyn_cast<llvm::AllocaInst>(llvm::getUnderlyingObject(load->getPointerOperand()))
            : nullptr;
    if (!variable) continue;
    for (llvm::Value* value : stored_to(*variable)) {
      if (auto copied = loads_.find(value); copied != loads_.end()) {
        sources.push_back(copied->second);
      } else {
        walk.add(value);
      }
    }
  }
  llvm::sort(sources);
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());
  return {std::move(sources), keeps_sign};
}

void FloatSources::note(kernel::CheckTable& table) {
  for (const Operation& operation : operations_) {
    kernel::CheckSite& site = table.sites[operation.site];
    site.role = role_of(*without_casts(operation.check->getArgOperand(1)));
    const unsigned others = site.kind == kernel::SiteKind::kNotFiniteExchange ? 1 : 0;
    for (unsigned i = 2; i + others < operation.check->arg_size(); ++i) {
      site.sources.push_back(find(operation.check->getArgOperand(i)));
    }
  }
  for (const NumberUse& use : uses_) {
    if (use.number) table.sites[use.site].sources = {find(use.number)};
  }
}

kernel::SiteKind settle_cast(llvm::CallInst& condition) {
  llvm::IRBuilder<> builder(&condition);
  kernel::UsedFloat used = kernel::UsedFloat::kEither;
  if (are_integers_limited(condition.getArgOperand(2))) {
    used = kernel::UsedFloat::kNan;
    condition.setArgOperand(1, builder.CreateIsNotNull(condition.getArgOperand(3)));
  }
  condition.setArgOperand(3, builder.getInt64(static_cast<uint64_t>(used)));
  return kernel::SiteKind::kNotFiniteStore;
}

}  // namespace assay::codegen
