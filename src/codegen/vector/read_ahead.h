// Which loads walk through a buffer in ways that processors do not follow by themselves.
#pragma once

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace assay::codegen {

struct AheadLoads {
  // Of kernels that read each buffer in one sweep: no loops, no barriers. Such a kernel is over
  // before the processor has seen where its loads go, and what it reads of the next page is not on
  // its way when the next threadgroup asks for it. One load per buffer: others are close to it.
  // AMD's processors go on with the next page by themselves and only lose time with such requests
  // (axpy 6 %), unless a kernel computes so much that its next loads come late (2 % gained).
  llvm::DenseSet<const llvm::LoadInst*> sweeping;
  // Of loops, with the loop's variable that their address depends on. Where that variable is
  // different in each thread, threads share the work of the loop: each round leaps over what the
  // others read, further than processors follow. One load per buffer and loop.
  llvm::DenseMap<const llvm::LoadInst*, llvm::PHINode*> leaping;
  // Whose only purpose is to bring a part of a buffer to threadgroup memory. What lies beside it is
  // mostly what the next threadgroups bring.
  llvm::DenseSet<const llvm::LoadInst*> tiles;
};

// `processor` is LLVM's name of it.
AheadLoads find_ahead_loads(llvm::Function& thread, llvm::StringRef processor);

}  // namespace assay::codegen
