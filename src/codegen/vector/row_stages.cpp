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
    add_stage(row, 0);
  }

  // Ends the last stage in front of `first`, with which the next one begins. Whether that can be.
  bool cut(llvm::Instruction& first) {
    llvm::CallInst* call = extract_rest(first);
    if (!call) return false;
    llvm::Function& stage = *stages_.back().function;
    llvm::Function& rest = *call->getCalledFunction();
    auto* kept = rest.arg_empty() ? nullptr : llvm::cast<llvm::AllocaInst>(call->getArgOperand(0));
    llvm::Type* values = kept ? kept->getAllocatedType() : llvm::StructType::get(rest.getContext());
    stages_.back().kept = llvm::StructType::get(values, llvm::Type::getInt8Ty(rest.getContext()));
    const bool may_end = may_end_before(*call);
    if (may_end) {
      mark_row(*call, true);
      mark_row(*stage.getEntryBlock().getFirstInsertionPt(), false);
    }
    call->eraseFromParent();
    add_stage(rest, row_parameters_);
    if (kept) {
      keep_no_parameters(*kept);
      kept->replaceAllUsesWith(after(stage));
      kept->eraseFromParent();
    }
    if (may_end) skip_ended_rows();
    return true;
  }

  std::vector<RowStage> finish() && { return std::move(stages_); }

 private:
  llvm::Argument* before(llvm::Function& stage) const { return stage.getArg(row_parameters_); }
  llvm::Argument* after(llvm::Function& stage) const { return stage.getArg(row_parameters_ + 1); }

  // The code of `function` as a stage, whose parameters from number `first` on stand for its own.
  void add_stage(llvm::Function& function, unsigned first) {
    llvm::Function* stage =
        create_function(function, type_, llvm::GlobalValue::InternalLinkage, "stage");
    stage->splice(stage->begin(), &function);
    for (llvm::Argument& parameter : function.args()) {
      parameter.replaceAllUsesWith(stage->getArg(first + parameter.getArgNo()));
    }
    function.eraseFromParent();
    stages_.push_back({.function = stage});
  }

  // Makes everything from `first` on a function of the address of what it needs, if anything. Null
  // where that cannot be.
  llvm::CallInst* extract_rest(llvm::Instruction& first) {
    llvm::BasicBlock* start = llvm::SplitBlock(first.getParent(), &first);
    llvm::Function& stage = *start->getParent();
    llvm::DominatorTree dominators(stage);
    llvm::SmallVector<llvm::BasicBlock*> rest;
    dominators.getDescendants(start, rest);
    if (!leads_to_one_end(rest, *start, dominators)) return nullptr;
    llvm::CodeExtractor extractor(rest, &dominators, /*AggregateArgs=*/true);
    if (!extractor.isEligible()) return nullptr;
    llvm::Function* function = extractor.extractCodeRegion(llvm::CodeExtractorAnalysisCache(stage));
    return function ? llvm::cast<llvm::CallInst>(function->user_back()) : nullptr;
  }

  // Every stage has the parameters of the row: the last one reads its own instead of kept ones.
  void keep_no_parameters(llvm::AllocaInst& kept) {
    llvm::Function& next = *stages_.back().function;
    for_each_field(kept, [&](uint64_t field, llvm::User* user) {
      auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      auto* parameter = store ? llvm::dyn_cast<llvm::Argument>(store->getValueOperand()) : nullptr;
      if (!parameter || parameter->getArgNo() >= row_parameters_) return;
      for_each_field(*before(next), [&](uint64_t read, llvm::User* load) {
        if (read == field) load->replaceAllUsesWith(next.getArg(parameter->getArgNo()));
      });
      store->eraseFromParent();
    });
  }

  // What reads or writes single fields of the struct at `address`.
  template <typename Visit>
  static void for_each_field(llvm::Value& address, const Visit& visit) {
    for (llvm::User* user : llvm::make_early_inc_range(address.users())) {
      auto* field = llvm::dyn_cast<llvm::GetElementPtrInst>(user);
      if (!field) continue;
      const uint64_t number = llvm::cast<llvm::ConstantInt>(field->getOperand(2))->getZExtValue();
      for (llvm::User* access : llvm::make_early_inc_range(field->users())) visit(number, access);
    }
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
