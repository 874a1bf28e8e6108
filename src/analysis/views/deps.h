// What each command needs and why, and the longest chain of such needs.
#pragma once

#include <string_view>

#include "analysis/view.h"

namespace assay::analysis {

// "reads what it wrote", for a kind as the document has it.
std::string_view dependency_reason(int64_t kind);

Result<void> run_deps(const trace::Document& document, const ViewOptions& options, RowSink& sink);

}  // namespace assay::analysis
