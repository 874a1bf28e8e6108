// A trace in Chrome's JSON form, which ui.perfetto.dev and chrome://tracing open.
#pragma once

#include "analysis/output.h"
#include "trace/document.h"

namespace assay::analysis {

// One track for each queue and one for compilations, arrows for dependencies, counters for memory.
// Written as it is read: the document may be larger than memory.
Result<void> export_perfetto(const trace::Document& document, Output& output);

}  // namespace assay::analysis
