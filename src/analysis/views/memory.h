// Memory over time, and the largest buffers with the line that filled them.
#pragma once

#include "analysis/view.h"

namespace assay::analysis {

Result<void> run_memory(const trace::Document& document, const ViewOptions& options, RowSink& sink);

}  // namespace assay::analysis
