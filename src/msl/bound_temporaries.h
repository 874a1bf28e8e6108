// Local references to temporaries: `const thread T& r = make();`. In Metal the temporary is in
// thread memory and lives as long as the reference; clang keeps it outside of every address space
// and refuses the reference. The first run collects the places, the next one declares a constant
// value there, which nothing can tell from the reference.
#pragma once

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/SourceLocation.h>

#include <optional>
#include <vector>

#include "msl/token_sequence.h"

namespace assay::msl {

// The name of the reference, if the diagnostic refuses one for this reason.
std::optional<clang::SourceLocation> find_bound_temporary(const clang::Diagnostic& diagnostic);

// Indices of the '&' in front of these names; leaves out names in headers that are not among the
// tokens.
std::vector<size_t> locate_bound_temporaries(const std::vector<clang::SourceLocation>& names,
                                             const Tokens& tokens);

}  // namespace assay::msl
