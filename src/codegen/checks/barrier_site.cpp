// See barrier_site.h. Flags, orders and scopes have the numbers of src/msl/stdlib/metal_atomic.h.
#include "codegen/checks/barrier_site.h"

#include "llvm/IR/Constants.h"
#include "llvm/Support/AtomicOrdering.h"

namespace assay::codegen {

using kernel::CheckSite;
using kernel::SiteKind;

namespace {

constexpr uint64_t kDeviceFlag = 1;
constexpr uint64_t kThreadgroupFlag = 2;
constexpr uint64_t kThreadScope = 0;
constexpr uint64_t kDeviceScope = 3;

// What is only known when the kernel runs counts as `otherwise`.
uint64_t number_of(const llvm::CallInst& call, unsigned operand, uint64_t otherwise) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(operand));
  return number ? number->getZExtValue() : otherwise;
}

void set_memory(const llvm::CallInst& call, CheckSite& site) {
  const uint64_t flags = number_of(call, 0, kDeviceFlag | kThreadgroupFlag);
  site.orders_device = (flags & kDeviceFlag) != 0;
  site.orders_threadgroup = (flags & kThreadgroupFlag) != 0;
}

std::optional<CheckSite> find_fence(const llvm::CallInst& call) {
  const auto all = static_cast<uint64_t>(llvm::AtomicOrderingCABI::seq_cst);
  const auto order = static_cast<llvm::AtomicOrderingCABI>(number_of(call, 1, all));
  const uint64_t scope = number_of(call, 2, kDeviceScope);
  if (order == llvm::AtomicOrderingCABI::relaxed || scope == kThreadScope) return std::nullopt;
  CheckSite site{.kind = SiteKind::kFence};
  set_memory(call, site);
  site.releases =
      order != llvm::AtomicOrderingCABI::acquire && order != llvm::AtomicOrderingCABI::consume;
  site.acquires = order != llvm::AtomicOrderingCABI::release;
  site.reaches_device = scope >= kDeviceScope;
  return site;
}

}  // namespace

std::optional<CheckSite> find_barrier(const llvm::CallInst& call, IntrinsicKind kind) {
  if (kind == IntrinsicKind::kCheckFence) return find_fence(call);
  const bool is_group = kind == IntrinsicKind::kThreadgroupBarrier;
  if (!is_group && kind != IntrinsicKind::kSimdgroupBarrier) return std::nullopt;
  CheckSite site{.kind = is_group ? SiteKind::kThreadgroupBarrier : SiteKind::kSimdgroupBarrier,
                 .releases = true,
                 .acquires = true,
                 .reaches_device = is_group};
  set_memory(call, site);
  return site;
}

}  // namespace assay::codegen
