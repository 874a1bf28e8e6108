// What a name that nobody declares may have been meant for, by its spelling and what stands around
// it: a macro, a type, a function, a buffer.
#pragma once

#include <string>

#include "msl/diagnostic.h"

namespace assay::msl {

// `name` is the one that the diagnostic's caret stands at.
std::string suggest_declaration(const Diagnostic& diagnostic, const std::string& name);

}  // namespace assay::msl
