// Two traces side by side.
#pragma once

#include <optional>

#include "analysis/table.h"
#include "trace/document.h"

namespace assay::analysis {

struct DiffOptions {
  std::optional<int64_t> limit = 20;  // rows of the long tables; nothing: all
  // Times that differ by less count as the same.
  double noise_percent = 5;
};

// By kernel: slower, faster, appeared, vanished, and which became one.
Result<void> run_diff(const trace::Document& before, const trace::Document& after,
                      const DiffOptions& options, RowSink& sink);

// Only what has no noise: numbers of dispatches, bytes, waits, allocations, memory. True when the
// traces differ.
Result<bool> run_structure_diff(const trace::Document& before, const trace::Document& after,
                                const DiffOptions& options, RowSink& sink);

}  // namespace assay::analysis
