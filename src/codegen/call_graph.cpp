// Walks over direct calls, without recursion of our own: call chains may be long.
#include "codegen/call_graph.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {
namespace {

void append_callees_first(llvm::Function& root, llvm::DenseSet<const llvm::Function*>& seen,
                          std::vector<llvm::Function*>& order) {
  struct Visit {
    llvm::Function* function;
    std::vector<llvm::Function*> callees;
    size_t next = 0;
  };
  std::vector<Visit> stack;
  auto visit = [&](llvm::Function& function) {
    if (seen.insert(&function).second) stack.push_back({&function, callees(function)});
  };
  visit(root);
  while (!stack.empty()) {
    Visit& top = stack.back();
    if (top.next < top.callees.size()) {
      visit(*top.callees[top.next++]);
    } else {
      order.push_back(top.function);
      stack.pop_back();
    }
  }
}

}  // namespace

std::vector<llvm::Function*> callees(const llvm::Function& function) {
  llvm::SetVector<llvm::Function*> found;
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) continue;
    llvm::Function* callee = call->getCalledFunction();
    if (callee && !callee->isDeclaration()) found.insert(callee);
  }
  return {found.begin(), found.end()};
}

std::vector<llvm::Function*> callees_first(llvm::Module& module) {
  std::vector<llvm::Function*> order;
  llvm::DenseSet<const llvm::Function*> seen;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration()) append_callees_first(function, seen, order);
  }
  return order;
}

bool block_reaches(const llvm::BasicBlock& block, const FunctionSet& reaching,
                   const AcceptInstruction& accept) {
  return llvm::any_of(block, [&](const llvm::Instruction& instruction) {
    if (accept(instruction)) return true;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && reaching.contains(call->getCalledFunction());
  });
}

FunctionSet functions_reaching(const std::vector<llvm::Function*>& order,
                               const AcceptInstruction& accept) {
  FunctionSet reaching;
  for (const llvm::Function* function : order) {
    bool reaches = llvm::any_of(*function, [&](const llvm::BasicBlock& block) {
      return block_reaches(block, reaching, accept);
    });
    if (reaches) reaching.insert(function);
  }
  return reaching;
}

}  // namespace assay::codegen
