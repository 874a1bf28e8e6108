// What a page shows of a trace, in pieces that it asks for one by one. The page gets numbers,
// and texts that it must not take for anything but text: nothing in a trace is trusted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/document.h"

namespace assay::analysis {

// Pieces by name:
//  - core: facts, kernels, queues, threads, spans, commands, memory; what the first picture needs
//  - traffic: bytes that each command reads and writes
//  - bindings: buffers, arrays, and which command uses which
//  - dependencies: why commands had to wait
//  - report: what makes it slow, as analysis/report says
//  - source/N: the MSL of kernel N
//  - content/N: contents N, at most `kMostContentBytes`
// The error says what is wrong with the name or the document.
Result<std::string> load_page_section(const trace::Document& document, std::string_view name);

constexpr int64_t kMostContentBytes = int64_t{64} << 20;
// Beyond it a browser would have no memory for the columns.
constexpr int64_t kMostPageRows = 30'000'000;

// Names of pieces "source/N" and "content/N" that fit into a page that has all its data inside: all
// sources, and contents of at most kSmallContentBytes up to kMostSmallBytes together.
Result<std::vector<std::string>> list_small_sections(const trace::Document& document);
constexpr int64_t kSmallContentBytes = int64_t{256} << 10;
constexpr int64_t kMostSmallBytes = int64_t{16} << 20;

Result<std::string> load_core_section(const trace::Document& document);
Result<std::string> load_traffic_section(const trace::Document& document);
Result<std::string> load_bindings_section(const trace::Document& document);
Result<std::string> load_dependencies_section(const trace::Document& document);
Result<std::string> load_report_section(const trace::Document& document);

}  // namespace assay::analysis
