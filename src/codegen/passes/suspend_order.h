// The order of a function's blocks in which diverged lanes meet again.
#pragma once

#include <vector>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Function.h"

namespace assay::codegen {

// Reverse post-order in which the blocks of every loop are contiguous: a block comes after all
// blocks that lead to it without closing a loop, and code after a loop comes after the whole loop.
// Numbering suspend points in this order and always running the lowest number first lets lanes that
// are behind catch up before anything both sides share.
std::vector<llvm::BasicBlock*> suspend_order(llvm::Function& function, const llvm::LoopInfo& loops);

}  // namespace assay::codegen
