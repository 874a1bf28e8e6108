// Texts that Python was to format: f-strings double their braces, and a text that was never
// formatted keeps them, or names in braces. Both are legal MSL in other places.
#pragma once

#include <vector>

#include "msl/diagnostic.h"

namespace assay::msl {

// Whether an error comes from such braces, and not from something else on their line.
bool is_about_python_braces(const Diagnostic& diagnostic);

// On a line that such braces make unreadable, only the first error says anything.
void remove_echoes_of_braces(std::vector<Diagnostic>& diagnostics);

}  // namespace assay::msl
