// The dependencies of a trace as a graph of Graphviz, and as a picture of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/output.h"
#include "trace/document.h"

namespace assay::analysis {

// The first `limit` commands; nothing: all. Returns how many were left out.
Result<int64_t> export_dot(const trace::Document& document, std::optional<int64_t> limit,
                           Output& output);

// Runs Graphviz' program `dot` on such a graph.
Result<std::string> render_svg(const std::string& dot);

}  // namespace assay::analysis
