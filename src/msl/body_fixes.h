// Fixes for the bodies of fast::metal_kernel, whose users write neither signatures nor files, and
// mostly come from Python.
#pragma once

#include <string>

#include "msl/diagnostic.h"

namespace assay::msl {

// Whether the message is about the text that a user gave metal_kernel.
bool is_in_body(const Diagnostic& diagnostic);
// Whether it is about the text around the body.
bool is_behind_body(const Diagnostic& diagnostic);
// How to fix it; empty where there is nothing to say that is not true for every source.
std::string suggest_body_fix(const Diagnostic& diagnostic);

}  // namespace assay::msl
