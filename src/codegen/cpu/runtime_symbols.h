// The functions that generated CPU code may call. device/cpu must provide every one of them.
#pragma once

#include <algorithm>
#include <string_view>

namespace assay::codegen::cpu {

// All but the last group are exact, so code computes the same bits wherever it has to call them.
inline constexpr std::string_view kRuntimeSymbols[] = {
    // Of checked builds; see kernel/checks.h.
    "assay_check_access", "assay_check_barrier", "assay_check_condition", "assay_check_fine_access",
    "assay_check_line_sweep", "assay_check_sweep",
    // See kernel/print.h.
    "assay_print",
    // Block moves, which LLVM also makes out of loops.
    "memcpy", "memmove", "memset",
    // Where the processor has no FMA.
    "fma", "fmaf",
    // Where it has no SSE4.1.
    "ceilf", "floorf", "nearbyintf", "rintf", "truncf",
    // No instruction anywhere.
    "fmodf", "ldexpf", "roundf",
    // Half to float and back where it has no F16C.
    "__extendhfsf2", "__truncdfhf2", "__truncsfhf2",
    // Of double, which only kernels of our own have: what the C library makes of it.
    "acos", "asin", "atan", "ceil", "cos", "cosh", "exp", "exp2", "floor", "fmod", "ldexp", "log",
    "log10", "log2", "nearbyint", "pow", "rint", "round", "sin", "sincos", "sinh", "tan", "tanh",
    "trunc"};

constexpr bool is_runtime_symbol(std::string_view name) {
  return std::ranges::find(kRuntimeSymbols, name) != std::ranges::end(kRuntimeSymbols);
}

}  // namespace assay::codegen::cpu
