// What checks of kernels found, as the trace has it, and where that is in the sources of the trace.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/document.h"

namespace assay::analysis {

struct KernelFinding {
  trace::Id command = 0;  // 0: none of the document
  std::string rule;
  trace::FindingSeverity severity = trace::FindingSeverity::kError;
  std::string kernel;
  std::string file;
  int64_t line = 0;       // of the file; 0: nobody knows
  int64_t character = 0;  // in the line; 0: nobody knows
  std::string message;
  std::string fix;
  std::string site;
  int64_t occurrences = 1;
};

// Errors first, then in the order they were found. Empty names stand for all kernels.
Result<std::vector<KernelFinding>> load_kernel_findings(const trace::Document& document,
                                                        const std::string& kernel = {});
const char* severity_name(trace::FindingSeverity severity);

// Where line `line` of `file` is in the source `text`, which is that of `main_file` up to the first
// `#line` with a name; from 1, and 0 where it is not there.
struct SourceLine {
  std::string_view file;
  int64_t line = 0;
};
int64_t find_line(std::string_view text, std::string_view main_file, const SourceLine& wanted);

}  // namespace assay::analysis
