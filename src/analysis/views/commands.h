// The commands of a trace in order.
#pragma once

#include "analysis/view.h"

namespace assay::analysis {

Result<void> run_commands(const trace::Document& document, const ViewOptions& options,
                          RowSink& sink);

}  // namespace assay::analysis
