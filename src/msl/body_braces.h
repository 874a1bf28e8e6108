// Braces that have no partner in the body of a fast::metal_kernel. clang notices them behind the
// body, in text that the user has not written.
#pragma once

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceManager.h>

#include <optional>

namespace assay::msl {

struct UnmatchedBrace {
  clang::SourceLocation location;
  bool opens = false;
};

// Nothing where all braces match, and in sources that are no such kernel.
std::optional<UnmatchedBrace> find_unmatched_brace(const clang::SourceManager& sources,
                                                   const clang::LangOptions& options);

}  // namespace assay::msl
