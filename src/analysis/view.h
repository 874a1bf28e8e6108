// A view: one question to a trace, answered with tables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/table.h"
#include "trace/document.h"

namespace assay::analysis {

struct ViewOptions {
  std::optional<int64_t> limit = 20;  // rows of the long tables; nothing: all
  std::string kernel = {};            // only kernels whose name contains this
  std::string queue = {};             // only queues whose label contains this
};

struct View {
  const char* name;
  const char* summary;  // one line
  bool has_kernel_filter;
  bool has_queue_filter;
  Result<void> (*run)(const trace::Document& document, const ViewOptions& options, RowSink& sink);
};

}  // namespace assay::analysis
