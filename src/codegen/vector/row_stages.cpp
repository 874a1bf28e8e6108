// Makes functions of what lies between the cuts.
#include "codegen/vector/row_stages.h"

#include "codegen/passes/kernel_call.h"
#include "codegen/vector/row_cuts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"

namespace assay::codegen {
namespace {

// Rows that take turns within a stage must not wait for what another one does in a later stage,
// such as giving back a lock, and what is told of them stays in order.
bool may_take_turns(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::AllocaInst>(instruction) || instruction.isAtomic() ||
      instruction.isVolatile()) {
    return false;
  }
  return !llvm::isa<llvm::CallBase>(instruction) || llvm::isa<llvm::IntrinsicInst>(instruction);
}

// Cuts stage after stage from the code of a row.
class StageCutter {
 public:
  explicit StageCutter(llvm::Function& row) : row_parameters_(row.arg_size()) {
    std::vector<llvm::Type*> types(row.getFunctionType()->params());
    types.insert(types.end(), 2, llvm::PointerType::get(row.getContext(), 0));
    type_ = llvm::FunctionType::get(row.getReturnType(), types, false);
    add_stage(row, [&](unsigned parameter) { return parameter; });
  }

  // Ends the last stage in front of `first`, with which the next one begins. Whether that can be.
  bool cut(llvm::Instruction& first) {
    llvm::CallInst* call = extract_rest(first);
    if (!call) return false;
    llvm::Function& rest = *call->getCalledFunction();
    llvm::AllocaInst* kept = find_kept(*call);
    RowStage& stage = stages_.back();
    llvm::LLVMContext& context = rest.getContext();
    llvm::Type* inner = kept ? kept->getAllocatedType() : llvm::StructType::get(context);
    stage.kept = llvm::StructType::get(inner, llvm::Type::getInt8Ty(context));
    const bool may_end = may_end_before(*call);
    if (may_end) {
      mark_row(*call, true);
      mark_row(*stage.function->getEntryBlock().getFirstInsertionPt(), false);
    }
    const std::vector<llvm::Value*> given(call->arg_begin(), call->arg_end());
    call->eraseFromParent();
    if (kept) kept->replaceAllUsesWith(after(*stage.function));
    add_stage(rest, [&](unsigned parameter) {
      auto* own = llvm::dyn_cast<llvm::Argument>(given[parameter]);
      return own ? own->getArgNo() : row_parameters_;
    });
    if (kept) kept->eraseFromParent();
    if (may_end) skip_ended_rows();
    return true;
  }

  std::vector<RowStage> finish() && { return std::move(stages_); }

 private:
  llvm::Argument* before(llvm::Function& stage) const { return stage.getArg(row_parameters_); }
  llvm::Argument* after(llvm::Function& stage) const { return stage.getArg(row_parameters_ + 1); }

  // The code of `function` as a stage. `place` says which parameter of a stage stands for one of
  // the function's.
  template <typename Place>
  void add_stage(llvm::Function& function, const Place& place) {
    llvm::Function* stage =
        create_function(function, type_, llvm::GlobalValue::InternalLinkage, "stage");
    stage->splice(stage->begin(), &function);
    for (llvm::Argument& parameter : function.args()) {
      parameter.replaceAllUsesWith(stage->getArg(place(parameter.getArgNo())));
    }
    function.eraseFromParent();
    stages_.push_back({.function = stage});
  }

  // Makes everything from `first` on a function of what it needs: of parameters of the stage, and
  // of the address of all else. Null where that cannot be.
  llvm::CallInst* extract_rest(llvm::Instruction& first) {
    llvm::BasicBlock* start = llvm::SplitBlock(first.getParent(), &first);
    llvm::Function& stage = *start->getParent();
    llvm::DominatorTree dominators(stage);
    llvm::SmallVector<llvm::BasicBlock*> rest;
    dominators.getDescendants(start, rest);
    if (!leads_to_one_end(rest, *start, dominators)) return nullptr;
    llvm::CodeExtractor extractor(rest, &dominators, /*AggregateArgs=*/true);
    if (!extractor.isEligible()) return nullptr;
    for (unsigned number = 0; number < row_parameters_; ++number) {
      extractor.excludeArgFromAggregate(stage.getArg(number));
    }
    llvm::Function* function = extractor.extractCodeRegion(llvm::CodeExtractorAnalysisCache(stage));
    return function ? llvm::cast<llvm::CallInst>(function->user_back()) : nullptr;
  }

  // The variable through which the rest gets what is not an argument; null where there is nothing.
  static llvm::AllocaInst* find_kept(llvm::CallInst& call) {
    for (llvm::Value* argument : call.args()) {
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(argument)) return variable;
    }
    return nullptr;
  }

  // Whether all ways through `rest`, which `start` dominates, end in one return, in it or behind
  // it.
  static bool leads_to_one_end(llvm::ArrayRef<llvm::BasicBlock*> rest,
                               const llvm::BasicBlock& start,
                               const llvm::DominatorTree& dominators) {
    llvm::SmallPtrSet<const llvm::BasicBlock*, 4> ends;
    for (const llvm::BasicBlock* block : rest) {
      if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) ends.insert(block);
      for (const llvm::BasicBlock* next : llvm::successors(block)) {
        if (dominators.dominates(&start, next)) continue;
        if (!is_return(*next)) return false;
        ends.insert(next);
      }
    }
    return ends.size() == 1;
  }

  // Whether the stage has ways that do not lead to the call of its rest.
  static bool may_end_before(const llvm::CallInst& call) {
    const llvm::BasicBlock* before = call.getParent();
    return llvm::any_of(*call.getFunction(), [&](const llvm::BasicBlock& block) {
      return llvm::isa<llvm::ReturnInst>(block.getTerminator()) && &block != before &&
             block.getSinglePredecessor() != before;
    });
  }

  // Says, in front of `place`, whether the row goes on after the last stage.
  void mark_row(llvm::Instruction& place, bool goes_on) {
    const RowStage& stage = stages_.back();
    llvm::IRBuilder<> builder(&place);
    builder.CreateStore(builder.getInt8(goes_on),
                        builder.CreateStructGEP(stage.kept, after(*stage.function), 1));
  }

  // Rows that the stage before the last did not mark have nothing to do in the last.
  void skip_ended_rows() {
    llvm::Function& stage = *stages_.back().function;
    llvm::BasicBlock* code = &stage.getEntryBlock();
    auto* begin = llvm::BasicBlock::Create(stage.getContext(), "begin", &stage, code);
    auto* skip = llvm::BasicBlock::Create(stage.getContext(), "skip", &stage);
    llvm::ReturnInst::Create(stage.getContext(), skip);
    llvm::IRBuilder<> builder(begin);
    llvm::Value* mark = builder.CreateStructGEP(stages_[stages_.size() - 2].kept, before(stage), 1);
    llvm::Value* goes_on = builder.CreateIsNotNull(builder.CreateLoad(builder.getInt8Ty(), mark));
    builder.CreateCondBr(goes_on, code, skip);
  }

  const unsigned row_parameters_;
  llvm::FunctionType* type_ = nullptr;
  std::vector<RowStage> stages_;
};

}  // namespace

std::vector<RowStage> split_into_stages(llvm::Function& row) {
  if (!llvm::all_of(llvm::instructions(row), may_take_turns)) return {};
  const std::vector<llvm::Instruction*> cuts = choose_cuts(row);
  if (cuts.empty()) return {};
  StageCutter cutter(row);
  for (llvm::Instruction* first : cuts) {
    if (!cutter.cut(*first)) break;
  }
  return std::move(cutter).finish();
}

}  // namespace assay::codegen
