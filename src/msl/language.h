// MSL as clang sees it: language options and the words that are keywords in Metal.
#pragma once

#include <string>

namespace clang {
class LangOptions;
class Preprocessor;
class Sema;
}  // namespace clang

namespace assay::msl {

// Metal's floating-point modes. Only kFast lets the compiler reorder or approximate.
enum class MathMode { kSafe, kRelaxed, kFast };

void set_metal_language(clang::LangOptions& options, MathMode math_mode);

// Must run on every new preprocessor, before the first token is read.
void set_metal_keywords(clang::Preprocessor& preprocessor);

// Functions and types that OpenCL has without a header become plain names. Must run when `sema` is
// set up, before the first declaration is parsed.
void forget_opencl_names(clang::Sema& sema);

// The text of the macros that every Metal compiler predefines.
std::string predefined_macros();

}  // namespace assay::msl
