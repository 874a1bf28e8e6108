// The table that says what happens to a kernel between the front end and machine code.
#include "codegen/pass_list.h"

#include "codegen/checks/drop_fence_notes.h"
#include "codegen/checks/insert_checks.h"
#include "codegen/checks/mark_arithmetic.h"
#include "codegen/checks/mark_array_indices.h"
#include "codegen/checks/mark_unset_variables.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/passes/assign_threadgroup_memory.h"
#include "codegen/passes/build_entry.h"
#include "codegen/passes/debug_info.h"
#include "codegen/passes/fold_initialisers.h"
#include "codegen/passes/form_coroutine.h"
#include "codegen/passes/guard_division.h"
#include "codegen/passes/hold_loop_exits.h"
#include "codegen/passes/inline_calls.h"
#include "codegen/passes/insert_yields.h"
#include "codegen/passes/loop_tail_recursion.h"
#include "codegen/passes/lower_bfloat.h"
#include "codegen/passes/lower_half.h"
#include "codegen/passes/mark_loop_rounds.h"
#include "codegen/passes/name_threadgroup_memory.h"
#include "codegen/passes/reject_recursion.h"
#include "codegen/passes/specialise_constants.h"
#include "codegen/passes/split_coroutine.h"
#include "codegen/passes/split_vectors.h"
#include "codegen/passes/use_intrinsics.h"
#include "codegen/vector/build_lanes.h"
#include "codegen/vector/vectorise.h"
#include "fmt/format.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

namespace assay::codegen {
namespace {

Result<void> optimise(KernelBuild& build) {
  build.pipeline.optimise(build.module);
  return {};
}

Result<void> optimise_vectors(KernelBuild& build) {
  for (llvm::Function& function : build.module) {
    if (!function.isDeclaration()) build.pipeline.optimise_vectors(function);
  }
  return {};
}

bool is_for_reference(const KernelBuild& build) {
  return build.options.executor == kernel::Executor::kReference;
}

bool is_for_vectors(const KernelBuild& build) { return !is_for_reference(build); }

bool is_checked(const KernelBuild& build) { return build.options.checked; }

bool is_unchecked(const KernelBuild& build) { return !is_checked(build); }

// Checked kernels tell of missing barriers instead.
bool needs_yields(const KernelBuild& build) { return !is_checked(build); }

bool is_resumable(const KernelBuild& build) { return build.form != kernel::ExecutionForm::kPlain; }

bool is_debugged(const KernelBuild& build) { return build.options.debug; }

constexpr Pass kSharedPasses[] = {
    // Before anything is inlined.
    {"locate-calls", locate_calls, is_debugged},
    {"drop-fence-notes", drop_fence_notes, is_unchecked},
    // Early: walks over calls must end.
    {"loop-tail-recursion", loop_tail_recursion},
    {"reject-recursion", reject_recursion},
    // Before anything looks at branches: constants decide which barriers exist.
    {"specialise-constants", specialise_constants},
    {"fold-initialisers", fold_initialisers},
    // Before inlining, which forgets which function a variable or a loop was written in.
    {"name-threadgroup-memory", name_threadgroup_memory},
    {"hold-loop-exits", hold_loop_exits},
    {"mark-loop-rounds", mark_loop_rounds},
    {"use-intrinsics", use_intrinsics},
    // Before anything looks at single operations.
    {"split-vectors", split_vectors},
    // Before anything counts on divisors that are not 0.
    {"mark-arithmetic", mark_arithmetic, is_checked},
    {"mark-array-indices", mark_array_indices, is_checked},
    {"mark-unset-variables", mark_unset_variables, is_checked},
    {"guard-division", guard_division},
    // Before simplification, which folds conversions better in terms of integers.
    {"lower-bfloat", lower_bfloat},
    {"inline-calls", inline_calls},
    // After simplification: only what is still used counts.
    {"require-constants", require_constants},
    // While threadgroup variables are still told apart.
    {"insert-checks", insert_checks, is_checked},
    {"assign-threadgroup-memory", assign_threadgroup_memory},
};

bool needs_variables(const KernelBuild& build) { return is_debugged(build) && is_resumable(build); }

constexpr Pass kReferencePasses[] = {
    {"build-entry", build_entry},
    {"keep-variables", keep_variables, needs_variables},
    // Where loads and stores stand as they will run.
    {"insert-yields", insert_yields, needs_yields},
};

constexpr Pass kVectorPasses[] = {
    {"build-lanes", build_lanes},
    // After optimisation, to which a yield means that all memory changes.
    {"insert-yields", insert_yields, needs_yields},
    {"vectorise", vectorise},
};

constexpr Pass kFinalPasses[] = {
    {"form-coroutine", form_coroutine, is_resumable},
    // After suspend points are in order: nothing asks which round a lane leaves in any more.
    {"release-loop-exits", release_loop_exits},
    {"split-coroutine", split_coroutine, is_resumable},
    {"optimise", optimise, is_for_reference},
    {"optimise-vectors", optimise_vectors, is_for_vectors},
    // After the optimiser: it makes half operations out of float ones.
    {"lower-half", lower_half},
    {"settle-debug-info", settle_debug_info, is_debugged},
};

std::vector<Pass> join(std::span<const Pass> middle) {
  std::vector<Pass> passes(std::begin(kSharedPasses), std::end(kSharedPasses));
  passes.insert(passes.end(), middle.begin(), middle.end());
  passes.insert(passes.end(), std::begin(kFinalPasses), std::end(kFinalPasses));
  return passes;
}

Result<void> verify(const KernelBuild& build, const char* pass) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!llvm::verifyModule(build.module, &stream)) return {};
  return build.internal_error(fmt::format("invalid IR after {}: {}", pass, text));
}

}  // namespace

std::span<const Pass> cpu_passes(kernel::Executor executor) {
  static const std::vector<Pass> kReference = join(kReferencePasses);
  static const std::vector<Pass> kVector = join(kVectorPasses);
  return executor == kernel::Executor::kVector ? kVector : kReference;
}

Result<void> run_passes(KernelBuild& build, std::span<const Pass> passes,
                        std::vector<PassTiming>& timings) {
  for (const Pass& pass : passes) {
    if (pass.only_if && !pass.only_if(build)) continue;
    auto start = std::chrono::steady_clock::now();
    if (Result<void> done = pass.run(build); !done) return done;
    std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    timings.push_back({pass.name, elapsed.count()});
    if (Result<void> limits = build.check_limits(); !limits) return limits;
    if (!build.options.verify) continue;
    if (Result<void> valid = verify(build, pass.name); !valid) return valid;
  }
  return {};
}

}  // namespace assay::codegen
