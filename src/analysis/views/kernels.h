// What each kernel costs.
#pragma once

#include "analysis/view.h"

namespace assay::analysis {

Result<void> run_kernels(const trace::Document& document, const ViewOptions& options,
                         RowSink& sink);

}  // namespace assay::analysis
