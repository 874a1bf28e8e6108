// IR → machine code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/kernel_build.h"

namespace assay::codegen::cpu {

// A relocatable ELF object. Consumes the module's IR. An undefined symbol that is not in
// runtime_symbols.h is an internal error that names it.
Result<std::vector<uint8_t>> emit_object(KernelBuild& build);

// The same as assembly text; leaves the module as it is.
Result<std::string> emit_assembly(KernelBuild& build);

}  // namespace assay::codegen::cpu
