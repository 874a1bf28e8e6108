// The inliner: bottom-up, with a size limit, since code that calls twice at every level doubles at
// every level.
#include "codegen/passes/inline_calls.h"

#include <functional>

#include "codegen/call_graph.h"
#include "codegen/intrinsics.h"
#include "codegen/llvm_pipeline.h"
#include "fmt/format.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace assay::codegen {
namespace {

using Selection = std::function<bool(const llvm::Function&)>;

std::vector<llvm::CallInst*> list_calls(llvm::Function& function, const Selection& select) {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call) continue;
    llvm::Function* callee = call->getCalledFunction();
    if (callee && callee != &function && !callee->isDeclaration() && select(*callee)) {
      calls.push_back(call);
    }
  }
  return calls;
}

Result<bool> inline_selected(KernelBuild& build, llvm::Function& function, uint64_t limit,
                             const Selection& select) {
  std::vector<llvm::CallInst*> calls = list_calls(function, select);
  uint64_t instructions = function.getInstructionCount();
  for (llvm::CallInst* call : calls) {
    llvm::Function* callee = call->getCalledFunction();
    instructions += callee->getInstructionCount();
    if (instructions > limit) return build.too_long(limit);
    llvm::InlineFunctionInfo info;
    llvm::InlineResult inlined = llvm::InlineFunction(*call, info, /*MergeAttributes=*/true);
    if (!inlined.isSuccess()) {
      return build.internal_error(fmt::format("'{}' cannot be inlined: {}", readable_name(*callee),
                                              inlined.getFailureReason()));
    }
  }
  return !calls.empty();
}

// Simplification can turn a call through a pointer into a direct one, which then is inlined too.
// The bound only stops functions that reach themselves through pointers.
Result<void> inline_and_simplify(KernelBuild& build, llvm::Function& function,
                                 const Selection& select) {
  constexpr int kMaxRounds = 8;
  for (int round = 0; round < kMaxRounds; ++round) {
    Result<bool> changed =
        inline_selected(build, function, build.options.instruction_limit, select);
    if (!changed) return changed.error();
    if (!*changed && round > 0) break;
    build.pipeline.simplify(function);
  }
  return {};
}

Result<void> check_intrinsics_are_in_kernel(const KernelBuild& build) {
  for (const llvm::Function& function : build.module) {
    if (&function == build.kernel) continue;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      const std::optional<Intrinsic> intrinsic = find_intrinsic(instruction);
      // Marks for insert-checks, which drops those that are not in the kernel.
      if (!intrinsic || intrinsic->kind == IntrinsicKind::kCheckEarlyLoad) continue;
      return build.error(fmt::format(
          "function '{}' uses barriers, simdgroup functions or threadgroup variables and is called "
          "through a pointer; call it directly",
          readable_name(function)));
    }
  }
  return {};
}

}  // namespace

Result<void> inline_calls(KernelBuild& build) {
  // All functions, not only the kernel's callees: a call through a pointer may become direct.
  std::vector<llvm::Function*> order = callees_first(build.module);
  auto reaching = functions_reaching(order, [](const llvm::Instruction& instruction) {
    return find_intrinsic(instruction).has_value();
  });
  auto must_inline = [&](const llvm::Function& callee) {
    return callee.hasFnAttribute(llvm::Attribute::AlwaysInline) || reaching.contains(&callee);
  };
  for (llvm::Function* function : order) {
    if (reaching.contains(function)) function->removeFnAttr(llvm::Attribute::NoInline);
    if (Result<void> done = inline_and_simplify(build, *function, must_inline); !done) return done;
    if (Result<void> limits = build.check_time(); !limits) return limits;
  }
  build.erase_unused_functions();
  return check_intrinsics_are_in_kernel(build);
}

Result<void> inline_every_call(KernelBuild& build, llvm::Function& function, uint64_t limit) {
  auto every = [](const llvm::Function&) { return true; };
  // Each round inlines one level of calls; there is no recursion, so the rounds end.
  while (true) {
    Result<bool> changed = inline_selected(build, function, limit, every);
    if (!changed) return changed.error();
    if (!*changed) return {};
  }
}

}  // namespace assay::codegen
