// Turns clang's wording into Metal's, and known mistakes into advice.
#pragma once

#include <string>

#include "msl/diagnostic.h"

namespace assay::msl {

// Folder under which the standard library's headers appear to clang.
inline constexpr char kStandardLibraryFolder[] = "/assay-msl";

// "/assay-msl/metal_math" → "<metal_math>"; other paths as they are.
std::string display_path(const std::string& path);

// Replaces names that only clang's base language has ("__global" → "device", …).
std::string in_metal_words(std::string message);

// The text between the first pair of single quotes.
std::string quoted(const std::string& message);

// For a misspelt attribute: clang only knows those that the kernel has already.
void correct_suggestion(Diagnostic& diagnostic);

// One line on how to fix the mistake; empty when nothing better than the message is known.
std::string suggest_fix(const Diagnostic& diagnostic);

}  // namespace assay::msl
