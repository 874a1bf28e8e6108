// The processor that code is generated for.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "codegen/build_kernel.h"
#include "llvm/Target/TargetMachine.h"

namespace assay::codegen::cpu {

// Position-independent code without floating-point contraction, so that every processor computes
// the same bits. Unknown processors and features are errors.
Result<std::unique_ptr<llvm::TargetMachine>> create_target_machine(const BuildOptions& options);

// "cpu +feature +feature…": what code from `machine` may use.
std::string describe_target(const llvm::TargetMachine& machine);

}  // namespace assay::codegen::cpu
