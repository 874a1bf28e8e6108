// An overview of a trace: where it comes from, how much ran and where the time went.
#pragma once

#include "analysis/view.h"

namespace assay::analysis {

Result<void> run_summary(const trace::Document& document, const ViewOptions& options,
                         RowSink& sink);

}  // namespace assay::analysis
