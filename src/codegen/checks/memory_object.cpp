// See memory_object.h.
#include "codegen/checks/memory_object.h"

#include "codegen/checks/source_place.h"
#include "codegen/intrinsics.h"
#include "llvm/Analysis/ValueTracking.h"

namespace assay::codegen {

using kernel::SiteMemory;

namespace {

MemoryObject argument_object(const KernelBuild& build, llvm::Argument& argument) {
  const kernel::Argument& info = build.info.arguments[argument.getArgNo()];
  MemoryObject object{.memory = SiteMemory::kBuffer,
                      .slot = info.slot,
                      .start = &argument,
                      .bytes = info.element_bytes,
                      .name = info.name,
                      .is_reference = info.is_reference};
  switch (info.kind) {
    case kernel::ArgumentKind::kBuffer: break;
    case kernel::ArgumentKind::kThreadgroupMemory:
      object.memory = SiteMemory::kThreadgroupArgument;
      break;
    case kernel::ArgumentKind::kThreadAttribute: object.memory = SiteMemory::kNone; break;
  }
  return object;
}

// A thread's own memory has no address that means anything to the checks.
bool is_private(const MemoryObject& object) {
  return object.memory == SiteMemory::kThread || object.memory == SiteMemory::kNone;
}

MemoryObject root_object(const KernelBuild& build, llvm::Value* root) {
  const llvm::DataLayout& layout = build.module.getDataLayout();
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(root)) {
    return argument_object(build, *argument);
  }
  if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(root)) {
    return {.memory = SiteMemory::kThread,
            .start = root,
            .bytes = layout.getTypeAllocSize(variable->getAllocatedType()).getFixedValue(),
            .name = variable->getName().split('.').first.str()};
  }
  if (auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(root)) {
    return {.memory = SiteMemory::kThread,
            .start = root,
            .bytes = layout.getTypeAllocSize(variable->getValueType()).getFixedValue(),
            .name = variable->hasPrivateLinkage() || variable->getName().starts_with("__const.")
                        // The initial value of a local array.
                        ? variable->getName().rsplit('.').second.str()
                        : readable_name(*variable)};
  }
  if (auto* call = llvm::dyn_cast<llvm::CallInst>(root)) {
    std::optional<Intrinsic> intrinsic = find_intrinsic(*call);
    if (intrinsic && intrinsic->kind == IntrinsicKind::kThreadgroupMemory) {
      auto* bytes = llvm::cast<llvm::ConstantInt>(call->getArgOperand(1));
      std::vector<kernel::SitePlace> places = source_places(call->getDebugLoc());
      return {.memory = SiteMemory::kThreadgroupVariable,
              .start = root,
              .bytes = bytes->getZExtValue(),
              .declared = places.empty() ? kernel::SitePlace() : places.front()};
    }
  }
  return {};
}

}  // namespace

MemoryObject find_object(const KernelBuild& build, llvm::Value* pointer) {
  llvm::SmallVector<const llvm::Value*, 4> roots;
  llvm::getUnderlyingObjects(pointer, roots, nullptr, /*MaxLookup=*/0);
  MemoryObject object;
  bool is_first = true;
  bool is_several = false;
  for (const llvm::Value* root : roots) {
    if (llvm::isa<llvm::UndefValue, llvm::ConstantPointerNull>(root)) continue;
    MemoryObject next = root_object(build, const_cast<llvm::Value*>(root));
    bool is_same = next.start == object.start && next.memory == object.memory;
    if (next.memory == SiteMemory::kUnknown) return next;
    if (!is_first && !is_same && (is_private(next) || is_private(object))) {
      if (next.memory != object.memory) return {.memory = SiteMemory::kNone};
      object = {.memory = next.memory, .bytes = next.bytes == object.bytes ? next.bytes : 0};
      continue;
    }
    is_several |= !is_first && !is_same;
    object = std::move(next);
    is_first = false;
  }
  if (is_several) return {.memory = SiteMemory::kSeveral};
  return object;
}

}  // namespace assay::codegen
