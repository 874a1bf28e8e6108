// Inlining, optimisation, and the form that vectorise needs.
#include "codegen/vector/build_lanes.h"

#include <algorithm>

#include "codegen/intrinsics.h"
#include "codegen/llvm_pipeline.h"
#include "codegen/passes/inline_calls.h"
#include "codegen/passes/kernel_call.h"
#include "codegen/passes/thread_values.h"
#include "llvm/IR/InstIterator.h"

namespace assay::codegen {
namespace {

constexpr char kLanesSymbol[] = "lanes";

// How much longer the code of one thread may be, right after its calls are inlined, than what
// becomes of it: the code for 32 threads has at least two fifths of its instructions in the longest
// public kernels. Longer code would take the optimiser a minute, only to be given up.
constexpr uint64_t kMaxShrinking = 3;

// Results in memory would keep the memory alive; as a pair they are values.
void return_matrix_products(llvm::Module& module) {
  llvm::Function* multiply = module.getFunction(kMatrixMultiplyName);
  if (!multiply) return;
  for (llvm::User* user : llvm::make_early_inc_range(multiply->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    std::vector<llvm::Value*> operands(call->arg_begin(), call->arg_begin() + 6);
    llvm::Value* product = builder.CreateCall(declare_matrix_product(module), operands);
    for (unsigned i = 0; i < 2; ++i) {
      builder.CreateStore(
          builder.CreateExtractValue(product, i),
          builder.CreateConstInBoundsGEP1_64(builder.getFloatTy(), call->getArgOperand(6), i));
    }
    call->eraseFromParent();
  }
}

// Lanes that reach a dead end have done something undefined, which must not go unseen.
void trap_at_dead_ends(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    if (!llvm::isa<llvm::UnreachableInst>(block.getTerminator())) continue;
    block.getTerminator()->eraseFromParent();
    llvm::IRBuilder<> builder(&block);
    builder.CreateIntrinsic(llvm::Intrinsic::trap, {}, {});
    builder.CreateRetVoid();
  }
}

Result<void> emit_thread(KernelBuild& build) {
  llvm::LLVMContext& context = build.module.getContext();
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "thread", build.lanes));
  ThreadValues values(builder, build.lanes->getArg(0));
  Vector3 position;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    position[axis] =
        builder.CreateCall(declare_thread_position(build.module), {builder.getInt32(axis)});
  }
  llvm::Value* lane = builder.CreateCall(declare_lane(build.module));
  values.set_position(position, builder.CreateCall(declare_thread_index(build.module)), lane);
  ThreadFacts facts = emit_thread_facts(values);
  Result<llvm::CallInst*> call = emit_kernel_call(build, builder, values);
  if (!call) return call.error();
  builder.CreateRetVoid();
  return inline_kernel(build, *call, facts);
}

}  // namespace

Result<void> build_lanes(KernelBuild& build) {
  if (build.kernel->getName() == kLanesSymbol) build.kernel->setName("kernel");
  llvm::LLVMContext& context = build.module.getContext();
  llvm::Type* pointer = llvm::PointerType::get(context, 0);
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false);
  build.lanes =
      create_function(*build.kernel, type, llvm::GlobalValue::ExternalLinkage, kLanesSymbol);
  if (Result<void> emitted = emit_thread(build); !emitted) return emitted;
  const uint64_t limit = std::min(build.options.instruction_limit,
                                  kMaxShrinking * build.options.vector_instruction_limit);
  if (Result<void> inlined = inline_every_call(build, *build.lanes, limit); !inlined) {
    return build.fall_back(build.size_reason());
  }
  return_matrix_products(build.module);
  build.pipeline.optimise_lanes(*build.lanes);
  // Two copies of it follow, in which nothing is shorter.
  if (build.lanes->getInstructionCount() > build.options.vector_instruction_limit) {
    return build.fall_back(build.size_reason());
  }
  trap_at_dead_ends(*build.lanes);
  build.pipeline.normalise_lanes(*build.lanes);
  return {};
}

}  // namespace assay::codegen
