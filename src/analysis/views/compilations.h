// Kernels that became ready to run during the capture.
#pragma once

#include "analysis/view.h"

namespace assay::analysis {

Result<void> run_compilations(const trace::Document& document, const ViewOptions& options,
                              RowSink& sink);

}  // namespace assay::analysis
