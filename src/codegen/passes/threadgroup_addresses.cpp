// Addresses as sums: the arena, a constant that tells the variable, and multiples of the thread's
// number.
#include "codegen/passes/threadgroup_addresses.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "codegen/intrinsics.h"
#include "codegen/passes/thread_values.h"
#include "kernel/cpu_abi.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"

namespace assay::codegen {
namespace {

// As many bits tell the threads of a group apart.
constexpr unsigned kThreadBits = std::bit_width(kernel::kMaxThreadsPerThreadgroup - 1);

std::optional<uint64_t> smaller(std::optional<uint64_t> a, std::optional<uint64_t> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// Partial redundancy elimination joins two computations of one value in a phi.
class JoinResolver : public llvm::SCEVRewriteVisitor<JoinResolver> {
 public:
  using SCEVRewriteVisitor::SCEVRewriteVisitor;

  const llvm::SCEV* visitUnknown(const llvm::SCEVUnknown* value) {
    const auto* join = llvm::dyn_cast<llvm::PHINode>(value->getValue());
    if (!join) return value;
    const llvm::SCEV* first = SE.getSCEV(join->getIncomingValue(0));
    bool are_equal = llvm::all_of(join->incoming_values(), [&](llvm::Value* incoming) {
      return SE.getSCEV(incoming) == first;
    });
    return are_equal ? first : value;
  }
};

}  // namespace

const llvm::SCEV* ThreadgroupAddresses::describe(llvm::Value* address) {
  return JoinResolver(evolution_).visit(evolution_.getSCEV(address));
}

bool ThreadgroupAddresses::may_meet(const llvm::SCEV* read, const llvm::SCEV* written,
                                    uint64_t bytes, const llvm::BasicBlock& block) {
  Owner reader = find_owner(read), writer = find_owner(written);
  if (reader.argument_offset != writer.argument_offset) return false;
  if (reader.variable && writer.variable && reader.variable != writer.variable) return false;
  std::optional<uint64_t> stride = thread_stride(written);
  if (!stride) return true;
  if (read == written) return false;
  const auto* distance = llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(read, written));
  if (distance && distance->getAPInt().abs().getLimitedValue() + bytes <= *stride) return false;
  return !is_upper_half(read, written, block);
}

std::optional<ThreadgroupAddresses::Element> ThreadgroupAddresses::find_element(
    const llvm::SCEV* address) {
  const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(address);
  if (!sum) return std::nullopt;
  llvm::SmallVector<const llvm::SCEV*, 4> others;
  const llvm::SCEV* own = nullptr;
  for (const llvm::SCEV* operand : sum->operands()) {
    if (!thread_stride(operand)) {
      others.push_back(operand);
    } else if (std::exchange(own, operand)) {
      return std::nullopt;
    }
  }
  if (!own || others.empty()) return std::nullopt;
  Element element{.rest = evolution_.getAddExpr(others),
                  .scale = evolution_.getOne(own->getType()),
                  .index = own};
  const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(own);
  if (product && product->getNumOperands() == 2) {
    element.scale = product->getOperand(0);
    element.index = product->getOperand(1);
  }
  // Indices wrap in their own width.
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVIntegralCastExpr>(element.index)) {
    element.index = cast->getOperand();
  }
  return element;
}

// Elements from the one at `lower` with index 0 to the address `upper`.
const llvm::SCEV* ThreadgroupAddresses::count_elements(const llvm::SCEV* upper,
                                                       const Element& lower) {
  const auto* bytes =
      llvm::dyn_cast<llvm::SCEVConstant>(evolution_.getMinusSCEV(upper, lower.rest));
  const auto* scale = llvm::dyn_cast<llvm::SCEVConstant>(lower.scale);
  if (!bytes || !scale) return evolution_.getCouldNotCompute();
  int64_t count = bytes->getAPInt().getSExtValue() / scale->getAPInt().getSExtValue();
  return evolution_.getConstant(lower.index->getType(), static_cast<uint64_t>(count), true);
}

// The step of a reduction in a tree: a[i] += a[i + half] for i < half.
bool ThreadgroupAddresses::is_upper_half(const llvm::SCEV* read, const llvm::SCEV* written,
                                         const llvm::BasicBlock& block) {
  std::optional<Element> upper = find_element(read), lower = find_element(written);
  if (!lower) return false;
  const llvm::SCEV* half = evolution_.getCouldNotCompute();
  if (!thread_stride(read)) {
    half = count_elements(read, *lower);  // all that is left of the last step, i < 1
  } else if (upper && upper->scale == lower->scale && upper->index == lower->index) {
    half = count_elements(upper->rest, *lower);
  } else if (upper && upper->scale == lower->scale && upper->rest == lower->rest &&
             upper->index->getType() == lower->index->getType()) {
    half = evolution_.getMinusSCEV(upper->index, lower->index);
  }
  if (llvm::isa<llvm::SCEVCouldNotCompute>(half) || thread_stride(half)) return false;
  const llvm::SCEV* last = evolution_.getMinusSCEV(half, evolution_.getOne(half->getType()));
  auto is_below = [&](llvm::CmpInst::Predicate predicate, const llvm::SCEV* bound) {
    return evolution_.isBasicBlockEntryGuardedByCond(&block, predicate, lower->index, bound);
  };
  return is_below(llvm::CmpInst::ICMP_ULT, half) || is_below(llvm::CmpInst::ICMP_SLT, half) ||
         is_below(llvm::CmpInst::ICMP_ULE, last);
}

// An index below a variable's start, as in a[i - 1], is taken for one of the variable before.
ThreadgroupAddresses::Owner ThreadgroupAddresses::find_owner(const llvm::SCEV* address) const {
  Owner owner;
  int64_t offset = 0;
  add_term(address, owner, offset);
  if (owner.argument_offset) return owner;
  for (size_t i = 0; i < variables_.size(); ++i) {
    auto start = static_cast<int64_t>(variables_[i].offset);
    if (offset >= start && offset - start < static_cast<int64_t>(variables_[i].bytes)) {
      owner.variable = i;
    }
  }
  return owner;
}

void ThreadgroupAddresses::add_term(const llvm::SCEV* term, Owner& owner, int64_t& offset) const {
  if (const auto* constant = llvm::dyn_cast<llvm::SCEVConstant>(term)) {
    offset += constant->getAPInt().getSExtValue();
  } else if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(term)) {
    for (const llvm::SCEV* operand : sum->operands()) add_term(operand, owner, offset);
  } else if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(term)) {
    add_term(recurrence->getStart(), owner, offset);
  } else if (const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(term)) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(value->getValue());
    if (!load) return;
    const llvm::Value* table = llvm::getUnderlyingObject(load->getPointerOperand(), 0);
    if (is_context_field(table, offsetof(kernel::GroupContext, threadgroup_offsets), thread_)) {
      owner.argument_offset = load;
    }
  }
}

bool ThreadgroupAddresses::is_thread_number(const llvm::Value* value) const {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    // The ThreadState, from which resumable code of one thread has them.
    return thread_.arg_size() > 1 &&
           llvm::getUnderlyingObject(load->getPointerOperand(), 0) == thread_.getArg(1);
  }
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  std::optional<Intrinsic> intrinsic;
  if (instruction) intrinsic = find_intrinsic(*instruction);
  return intrinsic && (intrinsic->kind == IntrinsicKind::kThreadIndex ||
                       intrinsic->kind == IntrinsicKind::kThreadPosition);
}

// How far apart neighbouring threads' addresses are; the largest number if that depends on values.
// Nothing if threads share addresses.
std::optional<uint64_t> ThreadgroupAddresses::thread_stride(const llvm::SCEV* term) const {
  if (const auto* value = llvm::dyn_cast<llvm::SCEVUnknown>(term)) {
    if (!is_thread_number(value->getValue())) return std::nullopt;
    return 1;
  }
  if (const auto* recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(term)) {
    return thread_stride(recurrence->getStart());
  }
  if (const auto* cast = llvm::dyn_cast<llvm::SCEVCastExpr>(term)) {
    if (evolution_.getTypeSizeInBits(cast->getType()) < kThreadBits) return std::nullopt;
    if (evolution_.getTypeSizeInBits(cast->getOperand()->getType()) < kThreadBits) {
      return std::nullopt;
    }
    return thread_stride(cast->getOperand());
  }
  if (const auto* sum = llvm::dyn_cast<llvm::SCEVAddExpr>(term)) {
    std::optional<uint64_t> stride;
    for (const llvm::SCEV* operand : sum->operands()) {
      stride = smaller(stride, thread_stride(operand));
    }
    return stride;
  }
  const auto* product = llvm::dyn_cast<llvm::SCEVMulExpr>(term);
  if (!product) return std::nullopt;
  std::optional<uint64_t> stride;
  for (const llvm::SCEV* operand : product->operands()) {
    stride = smaller(stride, thread_stride(operand));
  }
  if (!stride) return std::nullopt;
  const auto* factor = llvm::dyn_cast<llvm::SCEVConstant>(product->getOperand(0));
  if (!factor || product->getNumOperands() != 2) return UINT64_MAX;
  return *stride * factor->getAPInt().abs().getLimitedValue(UINT32_MAX);
}

}  // namespace assay::codegen
